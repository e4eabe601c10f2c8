"""Edits that can't be made: the program is refused at their place (P04), and nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import BLOCKED, NO_PATTERN, Finding, Migration, Stumble, UnsoundResult
from ..syntax.source import Unmade

if TYPE_CHECKING:
    from ..facts import Facts

CODE = "P04"
WHY = "what {} does here can't be written: {}"
FIX = (
    "write what stands here in statements of its own, in a plainer form, or leave it alone{}; and "
    "please report it: this is a fault of distify"
)
LEAVE = " with `# distify: ignore[{}] reason`, if the result is right without it"
STUMBLES = "distify stumbles over this program ({}), so that nothing is known of it"


def refused(seen: Migration, error: UnsoundResult) -> Migration:
    """The migration without a text, refused for an edit that can't be made."""
    return seen._replace(steps=(), unmade=(), others=(), blocked=(*seen.blocked, finding(error)))


def finding(error: UnsoundResult) -> Finding:
    """The refusal at the line of the original."""
    return Finding(
        error.line, 0, CODE, WHY.format(error.rule, error.message), _fix(error.rule), BLOCKED
    )


def stumble(facts: Facts, error: Exception) -> Migration:
    """A program that distify can't look at, refused where it trains: a fault of distify."""
    why = STUMBLES.format(_words(error))
    found = Finding(line_of(facts, error), 0, CODE, why, _fix(), BLOCKED)
    return Migration(facts.source.text, NO_PATTERN, blocked=(found,))


def unsound(rule: str, line: int, error: Exception) -> UnsoundResult:
    """What one rule has stumbled over."""
    if isinstance(error, ValueError):  # in words that are meant to be read
        return UnsoundResult(rule, line, str(error))
    return Stumble(rule, line, _words(error))


def _fix(rule: str = "") -> str:
    """What a person can do; a comment can leave out the places of a rule, not those of a repair."""
    return FIX.format(LEAVE.format(rule) if rule.startswith("D") else "")


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".partition("\n")[0]


def line_of(facts: Facts, error: Exception) -> int:
    """Where an edit can't be made; what is about no place stands where the program trains."""
    from ..facts import training_of

    if isinstance(error, Unmade):
        return getattr(error.node, "lineno", 1)
    try:
        return min((evidence.line for evidence in training_of(facts).evidence), default=1)
    except Exception:  # what looks for it may be what has stumbled
        return 1
