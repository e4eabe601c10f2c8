"""Programs whose values take too many steps to follow (N04): refused, the same on every machine."""

from __future__ import annotations

from collections.abc import Collection

from .facts.facts import MOST_STEPS
from .model import BLOCKED, NO_PATTERN, Finding, Migration

CODE = "N04"
WHY = f"following the values of this file takes more than {MOST_STEPS:,} steps"
FIX = "move what is generated, and long tables of data, into files of their own"
TOGETHER = (
    "following the values of this file and of the modules that it imports ({}) takes more than "
    f"{MOST_STEPS:,} steps: what has to change in those is unknown"
)
LEAVE_OUT = (
    "write `# distify: skip-file` into those that are generated, or hold long tables of data: "
    "what they give is unknown then"
)


def too_large(text: str) -> Migration:
    """The refusal of a whole text."""
    return _refused(text, WHY, FIX)


def too_large_together(text: str, modules: Collection[str]) -> Migration:
    """The refusal of an entry for the sum of it and the modules that it imports."""
    return _refused(text, TOGETHER.format(len(modules)), LEAVE_OUT)


def _refused(text: str, why: str, fix: str) -> Migration:
    return Migration(text, NO_PATTERN, blocked=(Finding(1, 0, CODE, why, fix, BLOCKED),))
