"""Which callbacks `fit` and `evaluate` are given, in order: what steers must be on every worker.

And how many steps an epoch of a `fit` will have, as far as Keras knows.
"""

from __future__ import annotations

import functools
import inspect
import sys
from types import FrameType, ModuleType
from typing import Any, Callable

from . import imports, places, record

# Where `Model` is defined: Keras 2.12, 2.13 to 2.15, tf_keras, graph mode's own, TensorFlow's old
# copy, Keras 3.
MODULES = (
    *(f"{keras}.engine.{name}" for name in ("training", "training_v1") for keras in (
        "keras", "keras.src", "tf_keras", "tf_keras.src", "tensorflow.python.keras")),
    "keras.src.backend.tensorflow.trainer",
)  # fmt: skip
LISTS = (
    *(f"{keras}.callbacks" for keras in ("keras", "keras.src", "tf_keras", "tf_keras.src")),
    "keras.src.callbacks.callback_list",
)  # fmt: skip
MAKERS = ("fit", "evaluate", "predict", "fit_generator", "evaluate_generator")
METHODS = ("fit", "fit_generator", "evaluate", "evaluate_generator")


@record.careful("callbacks")
def _note(method: str, parameters: inspect.Signature, args: Any, kwargs: Any) -> None:
    given = parameters.bind(*args, **kwargs).arguments.get("callbacks")
    given = given if given is not None else []
    given = getattr(given, "callbacks", given)  # a CallbackList
    listed = given if isinstance(given, (list, tuple)) else [given]
    names = [type(callback).__name__ for callback in listed]
    if names or method.startswith("fit"):
        record.write("callback", names=names, method=method, where=places.where())


def _watched(method: str, parameters: inspect.Signature) -> Callable[..., Any]:
    def around(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        _note(method, parameters, args, kwargs)
        return original(*args, **kwargs)

    return around


@imports.when_imported(*MODULES)
def hook(module: ModuleType) -> None:
    """Steps around the methods that take callbacks."""
    owner: Any = getattr(module, "Model", None) or getattr(module, "TensorFlowTrainer", None)
    for method in filter(functools.partial(hasattr, owner), METHODS):
        parameters = inspect.signature(getattr(owner, method))
        if method in vars(owner) and "callbacks" in parameters.parameters:
            imports.replace(owner, method, _watched(method, parameters))


@imports.when_imported(*LISTS)
def hook_lists(module: ModuleType) -> None:
    """Keras makes one of these for each `fit`, once it knows how much data there is."""
    if module.CallbackList.__module__ == module.__name__:  # elsewhere it has another name only
        imports.replace(module.CallbackList, "__init__", _list)


def _list(original: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    original(*args, **kwargs)
    _note_plan(kwargs)


@record.careful("callbacks")
def _note_plan(given: Any) -> None:
    if _is_of_fit() and isinstance(given.get("steps"), int):
        record.write("planned", steps=given["steps"], where=places.where())


def _is_of_fit() -> bool:
    """Whether it is a `fit` that makes the list, and no `evaluate` or `predict`."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_name not in MAKERS:
        frame = frame.f_back
    return frame is not None and frame.f_code.co_name.startswith("fit")
