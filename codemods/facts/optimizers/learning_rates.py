"""Where learning rates stand: in optimizers, schedules and the returns of the user's schedules.

Seeds 000 and 001, `trans_S` on optimizer constructors. What every place needs is one edit, so that
an optimizer which several loops share, or a schedule of two optimizers, is scaled once.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from ..by_rank import depends_on_size
from ..facts import Facts
from ..horovod import STEERING, calls_of
from ..keras_classes import RateArgument, optimizer_rate, schedule_rates
from ..roles import Role
from ..scopes import Function
from . import schedules
from .rate_flow import NAMES, is_relative
from .rate_values import Nature, branches, nature


class Rate(NamedTuple):
    """What becomes of a place: `_` in `code` stands for the expression that is there.

    With `argument` the place is a call that leaves its rate out: it is written out.
    """

    code: str
    argument: str | None = None


class UnknownRate(NamedTuple):
    """A rate that can't be scaled, and why."""

    node: ast.expr
    why: str
    way_out: str


def constructor_rates(facts: Facts) -> dict[ast.AST, Rate]:
    """The rates given to optimizers and schedules where they are made."""
    found: dict[ast.AST, Rate] = {}
    replaced = _replaced(facts) if facts.has_horovod else frozenset()
    for call, argument in _arguments(facts):
        if call not in replaced:
            found.update(_scaled(facts, call, argument))
    for cls in schedules.outer_classes(facts):
        for value in schedules.rates_of(facts, cls):
            if not _is_from_scaled_base(facts, cls, value) and not depends_on_size(facts, value):
                found[value] = times(facts)
    return found


def _replaced(facts: Facts) -> frozenset[ast.AST]:
    """The optimizers whose rate a schedule replaces, as D105 writes it behind the wrapper."""
    stores = [store for name in NAMES for store in facts.index.attribute_stores.get(name, ())]
    return frozenset(
        made
        for target, binding in stores
        if isinstance(binding.value, ast.expr) and facts.role(binding.value) is Role.SCHEDULE
        for made in facts.origins(target.value).nodes
    )


def unknown_rates(facts: Facts) -> Iterator[UnknownRate]:
    """Rates of which it can't be told whether and where they are to be scaled."""
    for call in facts.creations(Role.OPTIMIZER):
        if not any(True for _ in _of_optimizer(facts, call)):
            yield UnknownRate(
                call,
                "the learning rate of this optimizer can't be seen",
                "create it by its class with learning_rate= written out",
            )
    for call, argument in _arguments(facts):
        yield from _problems(facts, call, argument)
    for call in schedules.ambiguous(facts):
        yield UnknownRate(
            call,
            "this schedule class is used on its own and inside of another schedule",
            "give the two uses classes of their own",
        )


def times(facts: Facts) -> Rate:
    """The plain form: the expression times the number of workers."""
    return Rate(f"_ * {facts.hvd}.size()")


def _each(facts: Facts) -> Rate:
    value = facts.fresh("value")
    return Rate(f"[{value} * {facts.hvd}.size() for {value} in _]")


# -- the arguments that carry a rate ----------------------------------------------------------


def _arguments(facts: Facts) -> Iterator[tuple[ast.Call, RateArgument]]:
    for call in facts.creations(Role.OPTIMIZER):
        yield from _of_optimizer(facts, call)
    for call in schedules.outer(facts):
        yield from _of_schedule(facts, call)
    for call in calls_of(facts, *STEERING):  # the rate that they lead up to, or start from
        yield call, RateArgument("initial_lr", 0)


def _of_optimizer(facts: Facts, call: ast.Call) -> Iterator[tuple[ast.Call, RateArgument]]:
    cls = facts.classes.local(call.func)
    init = None if cls is None else facts.classes.method(cls, "__init__")
    if init is None:
        known = optimizer_rate(facts.kind(call) or "")
        if known is not None:
            yield call, known
        return
    own = _parameter(init)
    if own is not None:
        yield call, own
    else:
        yield from _super_call(facts, init, optimizer_rate(facts.kind(call) or ""))


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
            return RateArgument(parameter.arg, 99, None if value is None else ast.unparse(value))
    return None


def _super_call(
    facts: Facts, init: Function, argument: RateArgument | None
) -> Iterator[tuple[ast.Call, RateArgument]]:
    for call in facts.calls("__init__"):
        is_super = isinstance(call.func.value, ast.Call)  # type: ignore[attr-defined]
        if argument is not None and is_super and facts.function(call) is init:
            yield call, argument


# -- what is done with them -------------------------------------------------------------------


def _value(facts: Facts, call: ast.Call, argument: RateArgument) -> ast.expr | None:
    value = facts.argument(call, argument.name, argument.position)
    if value is None and argument.name == "learning_rate":
        value = facts.argument(call, "lr")
    return value


def _scaled(facts: Facts, call: ast.Call, argument: RateArgument) -> dict[ast.AST, Rate]:
    value = _value(facts, call, argument)
    if value is None:
        return _written_out(facts, call, argument)
    if argument.each:
        each = _each_scaled(facts, value)
        return {part: rate for part, rate in each.items() if not depends_on_size(facts, part)}
    parts = [part for part in branches(facts, value) if not is_relative(facts, part)]
    return {part: times(facts) for part in parts if nature(facts, part) is Nature.NUMBER}


def _written_out(facts: Facts, call: ast.Call, argument: RateArgument) -> dict[ast.AST, Rate]:
    if argument.default in (None, "None") or facts.has_hidden_arguments(call):
        return {}
    return {call: Rate(f"{argument.default} * {facts.hvd}.size()", argument.name)}


def _each_scaled(facts: Facts, value: ast.expr) -> dict[ast.AST, Rate]:
    if isinstance(value, (ast.List, ast.Tuple)) and not any(
        isinstance(e, ast.Starred) for e in value.elts
    ):
        return {element: times(facts) for element in value.elts}
    if isinstance(value, (ast.ListComp, ast.GeneratorExp)):
        return {value.elt: times(facts)}
    return {value: _each(facts)}


def _is_from_scaled_base(facts: Facts, cls: ast.ClassDef, value: ast.expr) -> bool:
    """`return super().__call__(step)` of a class whose base is scaled already."""
    asks = any(
        isinstance(n, ast.Attribute) and n.attr == "__call__" and isinstance(n.value, ast.Call)
        for n in ast.walk(value)
    )
    return asks and schedules.calls_super(facts, cls)


def _problems(facts: Facts, call: ast.Call, argument: RateArgument) -> Iterator[UnknownRate]:
    value = _value(facts, call, argument)
    if value is None:
        if facts.has_hidden_arguments(call) and argument.default is not None:
            yield UnknownRate(
                call, "its rate may be hidden in * or **", f"pass {argument.name}= by name"
            )
        return
    if argument.each:
        return
    for part in branches(facts, value):
        found = nature(facts, part)
        if found in _WHY and not is_relative(facts, part):
            yield UnknownRate(part, *_WHY[found])


_WHY = {
    Nature.EITHER: (
        "this rate is a number in some cases and a schedule in others",
        "create the optimizer in each case with its own rate",
    ),
    Nature.UNKNOWN: (
        "it can't be told whether this rate is a number or a schedule",
        "pass a number, or create the schedule in this file",
    ),
    Nature.VARIABLE: (
        "this rate is a tf.Variable that may be changed later",
        "pass the number and set optimizer.learning_rate where it changes",
    ),
    Nature.CALLABLE: (
        "this rate is a function, which Keras has dropped",
        "pass a number or a LearningRateSchedule",
    ),
}
