"""What nobody has tried together with recomputation."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..model import RECOMPUTE, Finding
from . import restriction
from ._recomputed import refused

WHY = "{}: nobody has tried it together with layers that are run again"
FIX = "leave D501 out of this program, or this out of the program"


@restriction(code="C08", name="untried", rule=RECOMPUTE)
def untried(facts: Facts) -> Iterator[Finding]:
    """Mixed precision, gradients of one's own, Keras 3."""
    yield from refused(facts, "C08", WHY, FIX)
