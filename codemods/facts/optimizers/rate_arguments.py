"""The arguments that carry a learning rate: of optimizers, schedules and warm-up callbacks."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.optimizers import V1, RateArgument, is_legacy, optimizer_rate, schedule_rates
from ..facts import Facts
from ..horovod import STEERING, calls_of
from ..keras_version import is_keras_3
from ..roles import Role
from ..scopes import Function
from ..training.pattern import runs_graph
from . import schedules
from .rate_flow import NAMES

BY_NAME = 99  # a position that no call reaches
_LR_IGNORED = (2, 11)  # since then `lr=` does nothing but warn


def rate_arguments(facts: Facts) -> Iterator[tuple[ast.Call, RateArgument]]:
    """The calls that make optimizers, schedules and warm-ups, each with its argument."""
    for call in facts.creations(Role.OPTIMIZER):
        yield from of_optimizer(facts, call)
    for call in schedules.outer(facts):
        yield from _of_schedule(facts, call)
    for call in calls_of(facts, *STEERING):  # the rate that they lead up to, or start from
        yield call, RateArgument("initial_lr", 0)


def of_optimizer(facts: Facts, call: ast.Call) -> Iterator[tuple[ast.Call, RateArgument]]:
    """Where an optimizer gets its rate: in its own call, or in that of `super().__init__`."""
    cls = facts.classes.local(call.func)
    init = None if cls is None else facts.classes.method(cls, "__init__")
    if init is None:
        known = _rate_of_library(facts, call)
        if known is not None:
            yield call, known
        return
    own = _parameter(init)
    if own is not None:
        yield call, own
    else:
        yield from _super_call(
            facts, init, optimizer_rate(facts.kind(call) or "", is_keras_3(facts))
        )


def _rate_of_library(facts: Facts, call: ast.Call) -> RateArgument | None:
    """The argument of its class; of several, of which it takes one, what fits all of them."""
    names = facts.choice(call) or (facts.kind(call) or "",)
    rates = [optimizer_rate(name, is_keras_3(facts)) for name in names]
    first = rates[0]
    if first is None or all(rate == first for rate in rates):
        return first if None not in rates else None
    if any(rate is None or rate.name != first.name for rate in rates):
        return None
    places = {rate.position for rate in rates if rate is not None}
    shared = RateArgument(first.name, places.pop() if len(places) == 1 else BY_NAME)
    return shared if given_rate(facts, call, shared) is not None else None


def _of_schedule(facts: Facts, call: ast.Call) -> Iterator[tuple[ast.Call, RateArgument]]:
    cls = facts.classes.local(call.func)
    if cls is not None and schedules.computes_itself(facts, cls):
        return
    init = None if cls is None else facts.classes.method(cls, "__init__")
    for argument in schedule_rates(facts.kind(call) or ""):
        if init is None:
            yield call, argument
        else:
            yield from _super_call(facts, init, argument)


def _parameter(init: Function) -> RateArgument | None:
    """The parameter of a constructor of the user's that is named like a rate."""
    positional = [*init.args.posonlyargs, *init.args.args]
    for number, parameter in enumerate(positional):
        if parameter.arg in NAMES:
            later = len(positional) - number
            defaults = init.args.defaults
            default = ast.unparse(defaults[-later]) if later <= len(defaults) else None
            return RateArgument(parameter.arg, number - 1, default)
    for parameter, value in zip(init.args.kwonlyargs, init.args.kw_defaults):
        if parameter.arg in NAMES:
            return RateArgument(
                parameter.arg, BY_NAME, None if value is None else ast.unparse(value)
            )
    return None


def _super_call(
    facts: Facts, init: Function, argument: RateArgument | None
) -> Iterator[tuple[ast.Call, RateArgument]]:
    for call in facts.calls("__init__"):
        is_super = isinstance(call.func.value, ast.Call)  # type: ignore[attr-defined]
        if argument is not None and is_super and facts.function(call) is init:
            yield call, argument


def given_rate(facts: Facts, call: ast.Call, argument: RateArgument) -> ast.expr | None:
    """What a call is given for it; None if that is left out."""
    value = facts.argument(call, argument.name, argument.position)
    if value is None and argument.name == "learning_rate":
        value = facts.argument(call, "lr")
    return value


def is_of_graph(facts: Facts, call: ast.Call) -> bool:
    """Whether it makes an optimizer of TensorFlow 1 for a session."""
    is_old = (facts.kind(call) or "").startswith(V1)
    return is_old and runs_graph(facts)


def ignored_rates(facts: Facts) -> Iterator[tuple[ast.Call, ast.expr]]:
    """`Adam(lr=0.01)`: newer classes ignore it and take their default."""
    if facts.options.tensorflow < _LR_IGNORED:
        return
    for call in facts.creations(Role.OPTIMIZER):
        given = facts.argument(call, "lr")
        kind = facts.kind(call) or ""
        if given is not None and facts.classes.local(call.func) is None and not is_legacy(kind):
            yield call, given
