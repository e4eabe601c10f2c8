"""XLA brings what is run again together with the first run, and keeps it."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..model import RECOMPUTE, Finding
from . import restriction
from ._recomputed import refused

WHY = "XLA keeps most of what would be run again: half of the gain is lost"
FIX = "leave jit_compile off: compile(jit_compile=False)"


@restriction(code="C07", name="xla", rule=RECOMPUTE)
def xla(facts: Facts) -> Iterator[Finding]:
    """Programs that are compiled by XLA."""
    yield from refused(facts, "C07", WHY, FIX)
