"""The loop does one thing: it hands a tensor from layer to layer, or from step to step."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..model import RECOMPUTE, Finding
from . import restriction
from ._recomputed import refused

WHY = "{}"
FIX = "put what else is done into a layer of its own: x = block(x), or h = cell(x[:, t], h)"


@restriction(code="C04", name="loop-form", rule=RECOMPUTE)
def loop_form(facts: Facts) -> Iterator[Finding]:
    """Loops over layers or time that do more than `x = layer(x)`, `h = cell(x[:, t], h)`."""
    yield from refused(facts, "C04", WHY, FIX)
