"""Programs whose values take too many steps to follow (N04): refused, the same on every machine."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..facts.facts import MOST_STEPS
from ..model import BLOCKED, NO_PATTERN, Finding, Migration

CODE = "N04"
WHY = f"following the values of this file takes more than {MOST_STEPS:,} steps"
FIX = "move what is generated, and long tables of data, into files of their own"
TOGETHER = (
    "following the values of this file and of the modules that it imports ({}) takes more than "
    f"{MOST_STEPS:,} steps: what has to change in those is unknown"
)
LONG = "looking at this file takes more than {:,} calls of Python's{}"
COSTLY = (
    "following the values of this file{} takes more than the {:,} steps that are left for it of "
    "{:,} for its project"
)
READ_WITH = " and of {} modules of its project, the longest of them `{}`,"
APART = "look at this file, or at its folder, by itself; or {}"
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


def too_costly(text: str, allowed: int, of: int, modules: Mapping[str, int]) -> Migration:
    """The refusal of a text for what its project costs; `modules`: how long each is."""
    longest = max(modules, key=lambda name: (modules[name], name), default="")
    read_with = READ_WITH.format(len(modules), longest) if modules else ""
    fix = APART.format(LEAVE_OUT) if modules else APART.format(FIX)
    return _refused(text, COSTLY.format(read_with, allowed, of), fix)


def too_long(text: str, line: int, calls: int) -> Migration:
    """The refusal of a text whose look takes more calls; `line` costs most, 0 if that is unknown.

    Where modules of a project were read with it, a line behind its end is none of its own.
    """
    own = 0 < line <= text.count("\n") + 1
    most = f", most of them for line {line}" if own else ""
    return _refused(text, LONG.format(calls, most), FIX, line if own else 1)


def _refused(text: str, why: str, fix: str, line: int = 1) -> Migration:
    return Migration(text, NO_PATTERN, blocked=(Finding(line, 0, CODE, why, fix, BLOCKED),))
