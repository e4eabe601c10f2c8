"""The gradient of a recomputed part flows through its one argument and through variables only."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..model import RECOMPUTE, Finding
from . import restriction
from ._recomputed import refused

WHY = "the gradient would not flow back through `{}`, which is not what the layer before gave"
FIX = "let every layer take one tensor and give one; concatenate what has to go along"


@restriction(code="C03", name="other-tensors", rule=RECOMPUTE)
def other_tensors(facts: Facts) -> Iterator[Finding]:
    """Tensors that come to a layer on another way than from the layer before."""
    yield from refused(facts, "C03", WHY, FIX)
