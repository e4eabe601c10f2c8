"""How a worker's share of a number of steps is written (D106)."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ..facts.data.divided import Share
from ..facts.training.draws import ends_range_from_one

if TYPE_CHECKING:
    from ..facts import Facts

DIVIDED = {
    Share.ANY: "_ // {hvd}.size()",
    Share.SOME: "max(1, _ // {hvd}.size())",
    Share.EACH: "[steps // {hvd}.size() for steps in _]",
}
FROM_ONE = "max(1, (_ - 1) // {hvd}.size()) + 1"  # `range(1, 61)` has 60 rounds
WITHOUT_MAX = {  # for a program that calls something else `max`
    DIVIDED[Share.SOME]: "_ // {hvd}.size() or 1",
    FROM_ONE: "((_ - 1) // {hvd}.size() or 1) + 1",
}


def form(facts: Facts, expr: ast.expr, share: Share) -> str:
    """How a share is written where the number stands."""
    whole = FROM_ONE if ends_range_from_one(facts, expr) else DIVIDED[share]
    is_named = facts.scope(expr).find("max") is not None
    return WITHOUT_MAX.get(whole, whole) if is_named else whole
