"""Rates of which it can't be told whether and where they are to be scaled."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.optimizers import HOLDING_WEIGHTS, RateArgument
from ..causes import cause_of
from ..facts import Facts
from ..problems import Problem
from ..roles import Role
from . import schedules
from .looked_up import gets_name, has_name
from .named_optimizers import named_in_compile
from .rate_arguments import given_rate, is_of_graph, of_optimizer, rate_arguments
from .rate_flow import is_relative
from .rate_values import Nature, branches, nature


def unknown_rates(facts: Facts) -> Iterator[Problem]:
    """Rates of which it can't be told whether and where they are to be scaled."""
    for call in facts.creations(Role.OPTIMIZER):
        if _is_set_behind(facts, call):
            continue
        if facts.role_of_factory(call) is None and not any(True for _ in of_optimizer(facts, call)):
            is_wrapper = (facts.kind(call) or "").rpartition(".")[2] in HOLDING_WEIGHTS
            yield Problem(call, *(_WRAPPER if is_wrapper else _UNSEEN))
    for call, argument in rate_arguments(facts):
        yield from _problems(facts, call, argument)
    for call in schedules.ambiguous(facts):
        yield Problem(
            call,
            "this schedule class is used on its own and inside of another schedule",
            "give the two uses classes of their own",
        )


def _problems(facts: Facts, call: ast.Call, argument: RateArgument) -> Iterator[Problem]:
    value = given_rate(facts, call, argument)
    if value is None:
        is_due = argument.default is not None or argument.each or argument.position == 0
        if facts.has_hidden_arguments(call) and is_due and not _is_set_behind(facts, call):
            yield Problem(
                call,
                "its rate may be among what `*` or `**` hands on here",
                f"pass {argument.name}= by name",
            )
        return
    if argument.each or is_of_graph(facts, call):
        return
    for part in branches(facts, value):
        found = nature(facts, part)
        if found in _WHY and not is_relative(facts, part):
            why, fix = _WHY[found]
            is_unknown = found is Nature.UNKNOWN
            yield Problem(part, why, fix, cause_of(facts, part) if is_unknown else None)


def _is_set_behind(facts: Facts, call: ast.Call) -> bool:
    """Whether the rate is set where the optimizer is there: it has a name, or gets one."""
    named = (each.compiled.optimizer for each in named_in_compile(facts) if each.is_looked_up)
    return has_name(facts, call) or gets_name(facts, call) or call in named


_UNSEEN = (
    "the learning rate of this optimizer can't be seen",
    "create it by its class with learning_rate= written out",
)
_WRAPPER = (
    "this optimizer averages the weights of another one: they begin as each worker's own, and the "
    "rate is the other one's",
    "train with the other one, and average the weights in a callback's `on_epoch_end`",
)
_WHY = {
    Nature.EITHER: (
        "this rate is a number in some cases and a schedule in others",
        "create the optimizer in each case with its own rate",
    ),
    Nature.UNKNOWN: (
        "nobody can tell whether this rate is a number or a schedule",
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
