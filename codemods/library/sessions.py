"""What makes a session of TensorFlow 1, and where it takes what Horovod has to change.

https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/MonitoredTrainingSession and others.
"""

from __future__ import annotations

import re

from .names import in_v1

_PLAIN = {"target": 0, "graph": 1, "config": 2}
_MONITORED: dict[str, dict[str, int]] = {
    "train.MonitoredTrainingSession": {
        "master": 0,
        "is_chief": 1,
        "checkpoint_dir": 2,
        "scaffold": 3,
        "hooks": 4,
        "chief_only_hooks": 5,
        "config": 9,
        "summary_dir": 14,
    },
    "train.MonitoredSession": {"session_creator": 0, "hooks": 1},
    "train.SingularMonitoredSession": {
        "hooks": 0,
        "scaffold": 1,
        "master": 2,
        "config": 3,
        "checkpoint_dir": 4,
    },
}
_RUN = {"model_dir": 0, "session_config": 5}
_CREATOR = {"scaffold": 0, "master": 1, "config": 2, "checkpoint_dir": 3}
_SUPERVISOR = {"graph": 0, "is_chief": 3, "logdir": 7, "summary_op": 8, "session_manager": 16}
_MANAGED = {
    "managed_session": {"master": 0, "config": 1},
    "prepare_or_wait_for_session": {"master": 0, "config": 1, "wait_for_checkpoint": 2},
}
_HOLDERS = {"train.ChiefSessionCreator": _CREATOR, "estimator.RunConfig": _RUN}
CREATORS = in_v1("train.ChiefSessionCreator")
# With whatever module is in front of them: TensorFlow's own, or what TensorFlow 2 has left of it.
PLAIN_MAKERS = ("Session", "InteractiveSession")
MONITORED_MAKERS = tuple(_MONITORED)
MAKERS: dict[str, dict[str, int]] = {
    **dict.fromkeys(PLAIN_MAKERS, _PLAIN),
    **_MONITORED,
    "train.Supervisor": _SUPERVISOR,
}
# The methods of a supervisor that make a session, by which it is known which arguments it takes.
MANAGED = {method: f"train.Supervisor.{method}" for method in _MANAGED}
_POSITIONS = {
    canonical: positions
    for name, positions in {**MAKERS, **_HOLDERS}.items()
    for canonical in in_v1(name)
}
_POSITIONS.update({MANAGED[method]: positions for method, positions in _MANAGED.items()})
MONITORED = in_v1(*_MONITORED)
SUPERVISORS = in_v1("train.Supervisor")
_SLIM = ("tensorflow.contrib.slim.learning", "tensorflow.contrib.training", "tf_slim.learning")
# They make a session where nobody sees it, and its variables.
OWN_SESSIONS = tuple(f"{each}.train" for each in _SLIM)
# An operation that trains, of a loss and an optimizer, whose `compute_gradients` it calls.
TRAIN_OPS = tuple(f"{each}.create_train_op" for each in _SLIM)
# Collections that hold variables, which steps change, and what TensorFlow itself makes: no steps.
COLLECTIONS = in_v1(
    *(f"GraphKeys.{kind}VARIABLES" for kind in ("GLOBAL_", "LOCAL_", "MODEL_", "TRAINABLE_")),
    *("GraphKeys.LOSSES", "GraphKeys.REGULARIZATION_LOSSES", "GraphKeys.SUMMARIES"),
    *("GraphKeys.UPDATE_OPS", "GraphKeys.VARIABLES"),
)
# Arguments that are a list of hooks, of a session or of an Estimator.
SPECS = ("training_hooks", "training_chief_hooks")
HOOKS = ("hooks", "chief_only_hooks", *SPECS)
_HOOK = re.compile(r"tensorflow\.(?:compat\.v1\.)?(?:train|estimator)\.\w*Hook$")
# They only write, or print: on every worker they would write the same files and the same lines.
WRITING_HOOKS = (
    "LoggingTensorHook",
    "CheckpointSaverHook",
    "SummarySaverHook",
    "StepCounterHook",
    "ProfilerHook",
)


def position(canonical: str, name: str) -> int | None:
    """Where something of that name takes an argument; None where it takes no such argument."""
    return _POSITIONS.get(canonical, {}).get(name)


def takes(canonical: str, name: str) -> bool:
    """Whether what makes a session, or what such a one is given, has an argument of that name."""
    return position(canonical, name) is not None


def is_hook(canonical: str) -> bool:
    """Whether a class of that name is a hook of TensorFlow's."""
    return _HOOK.match(canonical) is not None


# They look for the last checkpoint, which a run writes itself.
FINDERS = in_v1("train.get_checkpoint_state", "train.latest_checkpoint")
