"""Training without any optimizer: gradients of variables that the program then assigns itself."""

from __future__ import annotations

import sys
import weakref
from types import FrameType, ModuleType
from typing import Any, Callable

from . import imports, inside, losses, places, record, set_rates, steps, variables, writers
from .counted import Counted
from .functions import mark


class ByHand(Counted):
    """Variables whose gradients were taken together; each assignment of the first is a step."""

    name = "none"
    leader: Any = None  # the first of them that was assigned


# By the id of each variable whose gradient was taken and that no optimizer holds.
_candidates: dict[int, tuple[Any, ByHand]] = {}


def _held(variable: Any) -> bool:
    return any(trained.holds(variable) and trained.api != "none" for trained in steps.known)


@record.careful("steps")
def _gradients_taken(variables: list[Any]) -> None:
    """The entry of a step, where it isn't compiled."""
    known = _candidates.get(id(variables[0]))
    if known is None or known[0]() is not variables[0]:
        made = ByHand(variables)
        for variable in variables:
            if not _held(variable):
                _candidates[id(variable)] = (weakref.ref(variable), made)
    elif inside.eager() and _is_training(known[1]):
        steps.after(steps.before([known[1]]))


losses.on_gradient.append(_gradients_taken)


def _is_training(trained: ByHand) -> bool:
    """Whether it made a step, and no optimizer turned up; then it gets its number."""
    if trained.id < 0 and trained.steps() and not any(map(_held, trained.variables)):
        steps.register(trained)
    return trained.id >= 0


@imports.when_imported("tensorflow.python.ops.resource_variable_ops")
def hook(module: ModuleType) -> None:
    """Assignments by the program; those of optimizers, Horovod and checkpoints don't count."""
    for name in ("assign", "assign_sub", "assign_add"):
        imports.replace(module.BaseResourceVariable, name, _assign)


def _assign(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    variables.assigned(args[0])
    writers.note(args[0], sys._getframe(1))
    if original.__name__ == "assign" and len(args) > 1:
        set_rates.note(args[0], args[1], sys._getframe(1))
    if _candidates and id(args[0]) in _candidates:
        _note(args[0], sys._getframe(1))
    return original(*args, **kwargs)


@record.careful("steps")
def _note(variable: Any, frame: FrameType) -> None:
    reference, trained = _candidates[id(variable)]
    if reference() is not variable or _held(variable):
        del _candidates[id(variable)]
        return
    if not places.by_the_program(frame):
        return
    trained.leader = trained.leader or weakref.ref(variable)
    if trained.leader() is variable:
        trained.count()
        if not inside.eager():
            mark(trained)


def _before_call(trained: Any) -> bool:
    return not isinstance(trained, ByHand) or _is_training(trained)


steps.ready.append(_before_call)


@steps.on_end
def _at_the_end() -> None:
    for _, trained in [*_candidates.values()]:
        _is_training(trained)
