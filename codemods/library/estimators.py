"""Estimators of TensorFlow 1, and where they take what Horovod has to change.

https://www.tensorflow.org/api_docs/python/tf/compat/v1/estimator/Estimator and those beside it.
"""

from __future__ import annotations

from .names import in_v1

# Of each: how many arguments may stand without a name before one that Horovod changes.
_FOLDERS = {
    "Estimator": 1,
    "DNNClassifier": 2,
    "DNNRegressor": 2,
    "LinearClassifier": 1,
    "LinearRegressor": 1,
    "DNNLinearCombinedClassifier": 0,
    "DNNLinearCombinedRegressor": 0,
}
MAKERS = {
    canonical: where for name, where in _FOLDERS.items() for canonical in in_v1(f"estimator.{name}")
}
RUN_CONFIGS = in_v1("estimator.RunConfig")
INPUTS = in_v1("estimator.inputs.numpy_input_fn", "estimator.inputs.pandas_input_fn")
SPECS = in_v1("estimator.EstimatorSpec")
TOGETHER = in_v1("estimator.train_and_evaluate")
FROM_MODEL = in_v1("keras.estimator.model_to_estimator")
TRAIN = {"input_fn": 0, "hooks": 1, "steps": 2, "max_steps": 3}


def position(canonical: str, name: str) -> int | None:
    """Where an Estimator takes its folder or its configuration; None where only by name."""
    first = MAKERS.get(canonical)
    if first is not None and name == "model_dir":
        return first
    return 2 if first == 1 and name == "config" and canonical.endswith(".Estimator") else None


def is_ready_made(canonical: str) -> bool:
    """Whether it has a model, and an optimizer, of its own."""
    return canonical in MAKERS and not canonical.endswith(".Estimator")
