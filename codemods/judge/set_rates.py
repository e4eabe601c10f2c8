"""Rates that are set as if one worker trained alone.

What sets a rate while the model trains says anew how long a step is: where the optimizer's rate
grows with the workers, so must that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..library.updates import RATES, READING
from ..program.domain import Operands
from ..program.node_fields import within
from ..program.origins import Kind, Origin
from .beside import Change
from .exponents import POWERS, Powers, counting
from .keras_calls import is_hook
from .paces import paces
from .population import Unlike
from .size import rates

if TYPE_CHECKING:
    from ..facts import Facts

UNSCALED = (
    "this sets a learning rate while the model trains, which doesn't grow with the number of "
    "workers as the optimizer's does: from here on training comes an Nth as far in an epoch"
)
SCALE = "multiply what it gives by `hvd.size()`, or by what the optimizer's rate was at first"


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


_GROWING: Powers = frozenset({1.0})  # as far as anybody can tell


def unscaled(facts: Facts, changes: Iterable[Change]) -> Iterator[Unlike]:
    """The rates that are set to numbers of one worker, where the optimizer's grows."""
    units = paces(facts).units
    hooks = (n for n in within(facts.module) if isinstance(n, ast.FunctionDef) and is_hook(n.name))
    numbers = {number for hook in hooks for number in hook.args.args[1:2]}  # of epochs and batches
    by_count, relative = counting(units), counting(units, _create, _GROWING, numbers)
    powers: list[Powers] = [facts.program.value(by_count, rate) for rate in rates(facts)]
    grow = any(power > 0 for found in powers for power in found)
    for change in changes if grow else ():
        values = [facts.program.value(relative, value) for value in change.values]
        if change.is_rate and any(0.0 in found for found in values):
            yield Unlike(change.place, UNSCALED, SCALE)
