"""A part that is run again for its gradient must be run with the weights that it was run with."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..model import RECOMPUTE, Finding
from . import restriction
from ._recomputed import refused

WHY = "weights are changed before this gradient: the layers would be run again with the new ones"
FIX = "compute all gradients of a tape before any of them is applied"


@restriction(code="C10", name="changed-weights", rule=RECOMPUTE)
def changed_weights(facts: Facts) -> Iterator[Finding]:
    """Gradients that are asked for after an update of variables."""
    yield from refused(facts, "C10", WHY, FIX)
