"""The loop does one thing: it hands a tensor from layer to layer."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..model import RECOMPUTE, Finding
from . import restriction
from ._recomputed import refused

WHY = "{}"
FIX = "put what else is done into a layer of its own: for block in self.blocks: x = block(x)"


@restriction(code="C04", name="loop-form", rule=RECOMPUTE)
def loop_form(facts: Facts) -> Iterator[Finding]:
    """Loops over layers that do more than `x = layer(x)`."""
    yield from refused(facts, "C04", WHY, FIX)
