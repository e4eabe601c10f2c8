"""Multiplies the learning rates of one process as N workers do."""

from __future__ import annotations

import inspect
import threading
from types import ModuleType
from typing import Any, Callable

from . import imports, setting

_thread = threading.local()  # whether an optimizer is made from the configuration of another
RATES: float = float(setting.OPTIONS.get("rate_factor") or 1)
TF1 = {
    "adadelta": "AdadeltaOptimizer",
    "adagrad": "AdagradOptimizer",
    "adagrad_da": "AdagradDAOptimizer",
    "adam": "AdamOptimizer",
    "ftrl": "FtrlOptimizer",
    "gradient_descent": "GradientDescentOptimizer",
    "momentum": "MomentumOptimizer",
    "proximal_adagrad": "ProximalAdagradOptimizer",
    "proximal_gradient_descent": "ProximalGradientDescentOptimizer",
    "rmsprop": "RMSPropOptimizer",
}


def hook_new_optimizers(module: ModuleType) -> None:
    """Keras 2.11 to 2.15: the rate becomes a variable or stays a schedule."""
    base = getattr(module, "_BaseOptimizer", None)
    if base is None:
        return  # Keras 3
    imports.replace(base, "_build_learning_rate", _built)
    _leave_configurations(base)


def _built(original: Callable[..., Any], optimizer: Any, rate: Any) -> Any:
    return original(optimizer, rate if _is_a_copy() else higher(rate))


def hook_keras_3_optimizers(module: ModuleType) -> None:
    """Keras 3: the rate is an argument of every optimizer's constructor."""
    signature = inspect.signature(module.BaseOptimizer.__init__)

    def around(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs)
        if not _is_a_copy():
            given.arguments["learning_rate"] = higher(given.arguments["learning_rate"])
        return original(*given.args, **given.kwargs)

    imports.replace(module.BaseOptimizer, "__init__", around)
    _leave_configurations(module.BaseOptimizer)


def hook_legacy_optimizers(module: ModuleType) -> None:
    """Before, and as `optimizers.legacy`: the rate is a hyperparameter, set first at creation."""
    imports.replace(module.OptimizerV2, "_set_hyper", _set_hyper)
    _leave_configurations(module.OptimizerV2)


def _set_hyper(original: Callable[..., Any], optimizer: Any, name: str, value: Any) -> Any:
    first = name == "learning_rate" and name not in optimizer.__dict__.get("_hyper", {})
    return original(optimizer, name, higher(value) if first and not _is_a_copy() else value)


def _leave_configurations(owner: Any) -> None:
    """What is made from another optimizer's configuration has its rate from there."""
    original = vars(owner)["from_config"].__func__

    def from_config(cls: Any, config: Any, *args: Any, **kwargs: Any) -> Any:
        before, _thread.copies = _is_a_copy(), "learning_rate" in config
        try:
            return original(cls, config, *args, **kwargs)
        finally:
            _thread.copies = before

    owner.from_config = classmethod(from_config)


def _is_a_copy() -> bool:
    return getattr(_thread, "copies", False)


def hook_tf1_optimizer(module: ModuleType) -> None:
    """`tf.compat.v1.train.*Optimizer`."""
    owner = getattr(module, TF1[module.__name__.rpartition(".")[2]])
    signature = inspect.signature(owner.__init__)

    def around(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        given.arguments["learning_rate"] = higher(given.arguments["learning_rate"])
        return original(*given.args, **given.kwargs)

    imports.replace(owner, "__init__", around)


def higher(rate: Any) -> Any:
    """A number, tensor, schedule or function of no arguments, times the factor."""
    if not callable(rate):
        return rate * RATES
    if not hasattr(rate, "get_config"):
        return lambda: rate() * RATES
    if not hasattr(type(rate), "_distify_factor"):
        rate.__class__ = _scaled_class(type(rate))
    return rate


def _scaled_class(kind: Any) -> Any:
    def call(self: Any, step: Any) -> Any:
        return kind.__call__(self, step) * RATES

    return type(kind.__name__, (kind,), {"__call__": call, "_distify_factor": RATES})
