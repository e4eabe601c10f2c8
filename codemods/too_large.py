"""Programs whose values take too many steps to follow (N04): refused, the same on every machine."""

from __future__ import annotations

from .facts.facts import MOST_STEPS
from .model import BLOCKED, NO_PATTERN, Finding, Migration

CODE = "N04"
WHY = f"following the values of this file takes more than {MOST_STEPS:,} steps"
FIX = "move what is generated, and long tables of data, into files of their own"


def too_large(text: str) -> Migration:
    """The refusal of a whole text."""
    return Migration(text, NO_PATTERN, blocked=(Finding(1, 0, CODE, WHY, FIX, BLOCKED),))
