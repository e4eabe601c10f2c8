"""A layer that draws numbers draws others when it is run again: its gradient is of another mask."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..model import RECOMPUTE, Finding
from . import restriction
from ._recomputed import refused

WHY = "`{}` draws other numbers when it is run again: the gradients would be those of another mask"
FIX = "take it out of the list, or use the layers without it"


@restriction(code="C01", name="random-layers", rule=RECOMPUTE)
def random_layers(facts: Facts) -> Iterator[Finding]:
    """Layers of a list that draw random numbers, also with a seed."""
    yield from refused(facts, "C01", WHY, FIX)
