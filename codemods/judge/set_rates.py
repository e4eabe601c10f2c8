"""Rates that are set, and schedules that count, as if one worker trained alone.

What sets a rate while the model trains says anew how long a step is: where the optimizer's rate
grows with the workers, so must that. A schedule that was told how many steps the whole data has
comes to an Nth of its end where each worker takes an Nth of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..library.agreement import LENGTHS, is_size
from ..library.updates import RATES, READING
from ..program.domain import Domain, Operands
from ..program.origins import Kind, Origin
from .beside import Change
from .exponents import POWERS, Powers
from .population import Unlike
from .size import rates
from .training_steps import steps

if TYPE_CHECKING:
    from ..facts import Facts

UNSCALED = (
    "this sets a learning rate while the model trains, which doesn't grow with the number of "
    "workers as the optimizer's does: from here on training comes an Nth as far in an epoch"
)
SCALE = "multiply what it gives by `hvd.size()`, or by what the optimizer's rate was at first"
WHOLE = (
    "this schedule is told how many steps the whole data has, of which each worker takes only its "
    "share: it comes an Nth of its way"
)
WHOLE_RATE = (
    "this rate goes by a count of steps and by how many the whole data has, of which each worker "
    "takes only its share: it comes an Nth of its way"
)
COUNT = "count each step as `hvd.size()` of them: `{} * hvd.size()`"
DIVIDE = "divide the number of steps by `hvd.size()`"


def _join(a: Powers, b: Powers) -> Powers:
    return a | b


def _create(origin: Origin, operands: Operands[Powers]) -> Powers:
    """As of any number; the optimizer's own rate grows, and what reads a variable is as that is."""
    is_part = origin.kind in (Kind.MEMBER, Kind.UNKNOWN) and isinstance(origin.name, tuple)
    if is_part and origin.name[1:2] and origin.name[1] in RATES:
        return frozenset({1.0})
    func = origin.node.func if isinstance(origin.node, ast.Call) else None
    if getattr(func, "attr", getattr(func, "id", "")) in READING:
        found = operands.of(origin, 0) or operands.of(origin, "receiver")
        return found[0] if found else _GROWING
    if origin.kind is Kind.UNKNOWN and not origin.operands:
        return _GROWING
    return POWERS.create(origin, operands)


_NOTHING: Powers = frozenset()
_GROWING: Powers = frozenset({1.0})  # as far as anybody can tell
_RELATIVE: Domain[Powers] = Domain(_NOTHING, _GROWING, _join, _create, suppose=_create)


def unscaled(facts: Facts, changes: Iterable[Change]) -> Iterator[Unlike]:
    """The rates that are set to numbers of one worker, where the optimizer's grows."""
    powers: list[Powers] = [facts.program.value(POWERS, rate) for rate in rates(facts)]
    grow = any(power > 0 for found in powers for power in found)
    for change in changes if grow else ():
        values = [facts.program.value(_RELATIVE, value) for value in change.values]
        if change.is_rate and any(0.0 in found for found in values):
            yield Unlike(change.place, UNSCALED, SCALE)


def uncut(facts: Facts) -> Iterator[Unlike]:
    """The schedules of the program's own classes that count the steps of the whole data."""
    from ..restrictions.d106_own_schedule import own_schedules

    counts = facts.program.sought(lambda node: any(n in LENGTHS for n in _names(facts, node)))
    is_cut = facts.program.sought(lambda node: any(map(is_size, _names(facts, node))))
    for call in own_schedules(facts):
        given = [*call.args, *(k.value for k in call.keywords)]
        if any(counts(each) and not is_cut(each) for each in given):
            yield Unlike(call, WHOLE, DIVIDE)
    yield from _uncut_rates(facts)


def _uncut_rates(facts: Facts) -> Iterator[Unlike]:
    """The rates that a callback, or a loop, sets by its count and the length of the whole data."""
    from ..restrictions.d106_counted_rates import counted

    rates_of = list(counted(facts))
    data = {*facts.program.ingredients_of([v for s in steps(facts) for v in s.data])}
    for value, counter in rates_of:
        parts = facts.program.ingredients(value)
        calls = (part for part in parts if isinstance(part, ast.Call) and part.args)
        lengths = (c for c in calls if any(n in LENGTHS for n in _names(facts, c)))
        if any(not data.isdisjoint(facts.origins(each.args[0]).nodes) for each in lengths):
            yield Unlike(value, WHOLE_RATE, COUNT.format(ast.unparse(counter)))


def _names(facts: Facts, node: ast.AST) -> tuple[str, ...]:
    return facts.program.names(node.func) if isinstance(node, ast.Call) else ()
