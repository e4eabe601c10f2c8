"""The loss of each step, as the worker computed it: what its gradients are taken of.

In a function the value is left in a cell; nothing is printed, fetched or run on the host.
"""

from __future__ import annotations

import functools
import math
import operator
import weakref
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any, Callable

from . import imports, inside, record, steps
from .cells import Cell
from .trained import Trained
from .variables import plain, start_elsewhere

_SCOPE = "distify_probe_loss/"  # as it is: no name of the program's moves on by one


class Loss:
    """The newest loss whose gradient was taken for one set of variables."""

    def __init__(self, first: Any) -> None:
        self.first = weakref.ref(first)
        self.eager: Any = None
        self.cell: Cell | None = None

    def see(self, value: Any) -> None:
        """A tensor, computed or yet to be."""
        if inside.eager():
            self.eager = value
            return
        self.cell = self.cell or Cell("float32", math.nan)
        self.cell.put(value)

    def take(self) -> float:
        """The newest value; not a number where there is none."""
        if self.eager is not None:
            value, self.eager = self.eager, None
            return float(value.numpy())
        found = [float(value) for value in self.cell.get()] if self.cell else []
        known = [value for value in found if not math.isnan(value)]
        return known[-1] if known else math.nan


_losses: dict[int, Loss] = {}  # by the first of the variables
on_gradient: list[Callable[[list[Any]], None]] = []  # told of the variables, where there are any
_given: dict[int, tuple[Any, Any]] = {}  # the loss behind a scaled one, by the scaled one


@imports.when_imported("tensorflow.python.eager.backprop")
def hook(module: ModuleType) -> None:
    """Every API of TensorFlow 2 takes its gradients from a tape."""
    imports.replace(module.GradientTape, "gradient", _gradient)


@imports.when_imported(
    "keras.mixed_precision.loss_scale_optimizer",
    "keras.src.mixed_precision.loss_scale_optimizer",
    "tf_keras.src.mixed_precision.loss_scale_optimizer",
)
def hook_scaling(module: ModuleType) -> None:
    """With mixed precision the gradients are those of a scaled loss."""
    for name in ("LossScaleOptimizer", "LossScaleOptimizerV3"):
        if "get_scaled_loss" in vars(getattr(module, name, object)):
            imports.replace(getattr(module, name), "get_scaled_loss", _scaled)


def _scaled(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    result = original(*args, **kwargs)
    loss = kwargs.get("loss", args[1] if len(args) > 1 else None)
    if loss is not None and not callable(loss) and not callable(result):
        _given.clear()  # the gradient follows at once
        _given[id(result)] = (result, loss)
    return result


def _gradient(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    target = kwargs.get("target", args[1] if len(args) > 1 else None)
    sources = kwargs.get("sources", args[2] if len(args) > 2 else None)
    _note(target, sources)
    return original(*args, **kwargs)


@record.careful("loss")
def _note(target: Any, sources: Any) -> None:
    if not inside.in_eager_program():
        return
    nest = inside.python("util.nest")
    variables = [plain(source) for source in nest.flatten(sources) if _is_trainable(source)]
    if variables:
        start_elsewhere(variables)
        for callback in on_gradient:
            callback(variables)
        _loss_of(variables[0]).see(
            _mean([_given.get(id(each), (0, each))[1] for each in nest.flatten(target)])
        )
    _given.clear()


def _is_trainable(source: Any) -> bool:
    return bool(getattr(source, "trainable", False)) and hasattr(source, "assign_sub")


def _loss_of(first: Any) -> Loss:
    known = _losses.get(id(first))
    if known is None or known.first() is not first:
        known = _losses[id(first)] = Loss(first)
    return known


def _mean(targets: Iterable[Any]) -> Any:
    """One number of whatever is differentiated, outside of any tape."""
    with stop_recording(), inside.python("framework.ops").name_scope(_SCOPE):
        return functools.reduce(operator.add, map(_number, targets))


def stop_recording() -> Any:
    """Keeps what the probe computes out of the program's tapes."""
    try:
        return inside.python("eager.record").stop_recording()
    except ImportError:  # TensorFlow 2.12
        return inside.python("eager.tape").stop_recording()


def _number(target: Any) -> Any:
    math_ops = inside.python("ops.math_ops")
    value = math_ops.cast(target, "float32")
    return value if value.shape.rank == 0 else math_ops.reduce_mean(value)


def _write(made: list[int], stepped: Sequence[Trained]) -> None:
    for trained in stepped:
        for loss in [*_losses.values()]:
            first = loss.first()
            value = loss.take() if first is not None and trained.holds(first) else math.nan
            if not math.isnan(value):
                record.write("loss", optimizer=trained.id, steps=made[trained.id], value=value)


steps.after_steps.append(_write)
