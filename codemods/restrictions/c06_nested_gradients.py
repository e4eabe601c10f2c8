"""A recomputed part has first derivatives only."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..model import RECOMPUTE, Finding
from . import restriction
from ._recomputed import refused

WHY = "gradients of gradients: TensorFlow has none of a part that is run again"
FIX = "leave D501 out of programs with a tape inside of another one"


@restriction(code="C06", name="nested-gradients", rule=RECOMPUTE)
def nested_gradients(facts: Facts) -> Iterator[Finding]:
    """Tapes that another tape may record."""
    yield from refused(facts, "C06", WHY, FIX)
