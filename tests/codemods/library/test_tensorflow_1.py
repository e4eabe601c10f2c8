"""The tables of TensorFlow 1's sessions and Estimators against its signatures (1.15 and 2.15)."""

from __future__ import annotations

import re

import pytest

from distify.codemods.library import estimators, sessions

COMBINED = "linear_feature_columns linear_optimizer dnn_feature_columns dnn_optimizer "
DNN = "weight_column optimizer activation_fn dropout input_layer_partitioner config"
SESSIONS = {
    "train.MonitoredTrainingSession": (
        "master is_chief checkpoint_dir scaffold hooks chief_only_hooks save_checkpoint_secs "
        "save_summaries_steps save_summaries_secs config stop_grace_period_secs "
        "log_step_count_steps max_wait_secs save_checkpoint_steps summary_dir save_graph_def"
    ),
    "train.MonitoredSession": "session_creator hooks stop_grace_period_secs",
    "train.SingularMonitoredSession": "hooks scaffold master config checkpoint_dir",
    "train.ChiefSessionCreator": "scaffold master config checkpoint_dir",
    "train.Supervisor": (
        "graph ready_op ready_for_local_init_op is_chief init_op init_feed_dict local_init_op "
        "logdir summary_op saver global_step save_summaries_secs save_model_secs "
        "recovery_wait_secs stop_grace_secs checkpoint_basename session_manager summary_writer"
    ),
    "estimator.RunConfig": (
        "model_dir tf_random_seed save_summary_steps save_checkpoints_steps save_checkpoints_secs "
        "session_config keep_checkpoint_max"
    ),
    "Session": "target graph config",
    "InteractiveSession": "target graph config",
}
MANAGED = {
    "managed_session": "master config start_standard_services",
    "prepare_or_wait_for_session": "master config wait_for_checkpoint max_wait_secs",
}
KEYS = frozenset(
    {
        *("graph", "is_chief", "checkpoint_dir", "scaffold", "hooks", "chief_only_hooks", "config"),
        *("summary_dir", "target", "session_creator", "master", "logdir", "summary_op"),
        *("session_manager", "model_dir", "session_config", "wait_for_checkpoint"),
    }
)
MODELS = {
    "Estimator": "model_fn model_dir config params",
    "DNNClassifier": f"hidden_units feature_columns model_dir n_classes weight_column "
    f"label_vocabulary {DNN[14:]}",
    "DNNRegressor": f"hidden_units feature_columns model_dir label_dimension {DNN}",
    "LinearClassifier": "feature_columns model_dir n_classes weight_column label_vocabulary optimizer",
    "LinearRegressor": "feature_columns model_dir label_dimension weight_column optimizer config",
    "DNNLinearCombinedClassifier": f"model_dir {COMBINED}dnn_hidden_units",
    "DNNLinearCombinedRegressor": f"model_dir {COMBINED}dnn_hidden_units",
    "DNNEstimator": "head hidden_units feature_columns model_dir optimizer activation_fn",
    "LinearEstimator": "head feature_columns model_dir optimizer config partitioner",
    "DNNLinearCombinedEstimator": f"head model_dir {COMBINED}dnn_hidden_units",
}
DEFAULTS = {  # what TensorFlow takes where it is given none
    "DNNClassifier": "Adagrad 0.05",
    "DNNRegressor": "Adagrad 0.05",
    "DNNEstimator": "Adagrad 0.05",
    "LinearClassifier": "Ftrl 0.2",
    "LinearRegressor": "Ftrl 0.2",
    "LinearEstimator": "Ftrl 0.2",
    "DNNLinearCombinedClassifier": "Ftrl 0.005 Adagrad 0.001",
    "DNNLinearCombinedRegressor": "Ftrl 0.005 Adagrad 0.001",
    "DNNLinearCombinedEstimator": "Ftrl 0.005 Adagrad 0.001",
}


def canonicals(name: str) -> list[str]:
    return [f"tensorflow.{name}", f"tensorflow.compat.v1.{name}"]


@pytest.mark.parametrize("name", SESSIONS)
def test_what_makes_a_session_takes_its_arguments_there(name: str) -> None:
    arguments = SESSIONS[name].split()
    for canonical in canonicals(name):
        known = {key: sessions.position(canonical, key) for key in KEYS}
        found = {key: place for key, place in known.items() if place is not None}
        assert found == {key: arguments.index(key) for key in found}
        assert set(found) == set(arguments) & KEYS
        assert all(sessions.takes(canonical, key) for key in found)
    assert not sessions.takes(canonical, "no_such")


@pytest.mark.parametrize("name", MANAGED)
def test_so_do_the_methods_of_a_supervisor(name: str) -> None:
    arguments = MANAGED[name].split()
    known = {key: sessions.position(sessions.MANAGED[name], key) for key in KEYS}
    found = {key: place for key, place in known.items() if place is not None}
    assert found == {key: arguments.index(key) for key in arguments if key in KEYS}


@pytest.mark.parametrize("name", MODELS)
def test_an_estimator_takes_its_folder_and_its_optimizers_there(name: str) -> None:
    arguments = MODELS[name].split()
    for canonical in canonicals(f"estimator.{name}"):
        assert estimators.position(canonical, "model_dir") == arguments.index("model_dir")
        is_own = name == "Estimator"
        assert estimators.position(canonical, "config") == (2 if is_own else None)
        assert estimators.is_ready_made(canonical) is not is_own
        parts = estimators.parts(canonical)
        assert [arguments.index(part.argument) for part in parts] == [p.position for p in parts]
        assert " ".join(f"{p.cls} {p.rate}" for p in parts) == DEFAULTS.get(name, "")
        assert all(not p.columns or p.columns in arguments for p in parts)
        assert all(
            p.columns.partition("_")[0] == p.argument.partition("_")[0] for p in parts if p.columns
        )
    assert {part.cls for part in parts} <= set(estimators.NAMED)


def test_nothing_else_is_one() -> None:
    assert set(estimators.MAKERS) == {c for name in MODELS for c in canonicals(f"estimator.{name}")}
    assert estimators.parts("tensorflow.estimator.Other") == ()
    assert estimators.parts("tensorflow.keras.DNNClassifier") == ()
    assert estimators.position("tensorflow.estimator.Other", "model_dir") is None


@pytest.mark.parametrize(
    "kept",
    [
        *("GLOBAL_VARIABLES", "LOCAL_VARIABLES", "MODEL_VARIABLES", "TRAINABLE_VARIABLES"),
        *("LOSSES", "REGULARIZATION_LOSSES", "SUMMARIES", "UPDATE_OPS", "VARIABLES"),
    ],
)
def test_what_these_collections_hold_is_known(kept: str) -> None:
    assert set(canonicals(f"GraphKeys.{kept}")) <= set(sessions.COLLECTIONS)


@pytest.mark.parametrize(
    ("name", "is_hook"),
    [
        ("tensorflow.train.StopAtStepHook", True),
        ("tensorflow.compat.v1.train.SessionRunHook", True),
        ("tensorflow.estimator.NanTensorHook", True),
        ("tensorflow.train.Hooks", False),
        ("tensorflow.train.sub.Hook", False),
        ("other.train.StopAtStepHook", False),
    ],
)
def test_hooks_are_told_by_their_names(name: str, is_hook: bool) -> None:
    assert sessions.is_hook(name) is is_hook


def test_writing_hooks_are_hooks() -> None:
    assert all(re.fullmatch(r"[A-Z]\w+Hook", name) for name in sessions.WRITING_HOOKS)
    assert len(sessions.WRITING_HOOKS) == 5


@pytest.mark.parametrize("module", ["tensorflow.contrib.slim.learning", "tf_slim.learning"])
def test_slim_makes_its_sessions_and_steps_where_it_is_known(module: str) -> None:
    assert f"{module}.train" in sessions.OWN_SESSIONS
    assert f"{module}.create_train_op" in sessions.TRAIN_OPS
    assert "tensorflow.contrib.training.train" in sessions.OWN_SESSIONS
