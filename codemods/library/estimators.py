"""Estimators of TensorFlow 1, and where they take what Horovod has to change.

https://www.tensorflow.org/api_docs/python/tf/compat/v1/estimator/Estimator and those beside it.
"""

from __future__ import annotations

from typing import NamedTuple

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
    "DNNEstimator": 3,
    "LinearEstimator": 2,
    "DNNLinearCombinedEstimator": 1,
}


class Part(NamedTuple):
    """A part of a ready-made model that an optimizer of its own trains.

    Without one it is that of `cls`, and one that has a name only gets `rate`.
    """

    argument: str
    position: int
    cls: str
    rate: str
    columns: str = ""  # without these there is no such part


def _combined(first: int) -> tuple[Part, ...]:
    return (
        Part("linear_optimizer", first + 2, "Ftrl", "0.005", "linear_feature_columns"),
        Part("dnn_optimizer", first + 4, "Adagrad", "0.001", "dnn_feature_columns"),
    )


_PARTS = {
    "DNNClassifier": (Part("optimizer", 6, "Adagrad", "0.05"),),
    "DNNRegressor": (Part("optimizer", 5, "Adagrad", "0.05"),),
    "DNNEstimator": (Part("optimizer", 4, "Adagrad", "0.05"),),
    "LinearClassifier": (Part("optimizer", 5, "Ftrl", "0.2"),),
    "LinearRegressor": (Part("optimizer", 4, "Ftrl", "0.2"),),
    "LinearEstimator": (Part("optimizer", 3, "Ftrl", "0.2"),),
    "DNNLinearCombinedClassifier": _combined(0),
    "DNNLinearCombinedRegressor": _combined(0),
    "DNNLinearCombinedEstimator": _combined(1),
}
# The names by which such a model may be given its optimizer.
NAMED = {
    "Adagrad": "AdagradOptimizer",
    "Adam": "AdamOptimizer",
    "Ftrl": "FtrlOptimizer",
    "RMSProp": "RMSPropOptimizer",
    "SGD": "GradientDescentOptimizer",
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


def parts(canonical: str) -> tuple[Part, ...]:
    """The parts of a ready-made model; none of what is no such."""
    return _PARTS.get(canonical.rpartition(".")[2], ()) if canonical in MAKERS else ()


def is_ready_made(canonical: str) -> bool:
    """Whether it has a model, and an optimizer, of its own."""
    return canonical in MAKERS and not canonical.endswith(".Estimator")


def is_default(maker: str, optimizer: str, arguments: list[object]) -> bool:
    """Whether a ready-made model has this optimizer, with this rate, if it is given none."""
    for part in _PARTS.get(maker.rpartition(".")[2], ()):
        is_class = optimizer.rpartition(".")[2] in (part.cls, f"{part.cls}Optimizer")
        if is_class and arguments == [float(part.rate)]:
            return True
    return False


def by_name(maker: str, optimizer: object) -> tuple[str, float] | None:
    """The class, and its rate, of the optimizer that a ready-made model is given by this name."""
    parts = _PARTS.get(maker.rpartition(".")[2], ())
    cls = NAMED.get(optimizer) if isinstance(optimizer, str) else None
    return (cls, float(parts[0].rate)) if parts and cls is not None else None
