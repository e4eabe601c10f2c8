"""How much `fit`, `evaluate` and `predict` tell: rank 0 as much as before, the others nothing."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..edits import Edit, SetArgument, WrapArgument
from ..facts.training import fits
from ._imports import Lines
from ._new_code import fresh, hvd
from ._start import behind_start

if TYPE_CHECKING:
    from ..facts import Facts

FITS, TESTS = "D302", "D303"  # the rules that write levels
NAMES = ("verbose", "verbosity")


class _Bound:
    """The level that several calls share, which gets a name behind the start of Horovod."""

    def __init__(self, facts: Facts) -> None:
        calls = {FITS: fits.fits(facts), TESTS: fits.tests(facts)}
        chosen = {
            rule: _levels(facts, calls[rule]) for rule in calls if facts.options.applies(rule)
        }
        counts = Counter(level for levels in chosen.values() for level in levels.values())
        ((self.level, number),) = counts.most_common(1) or [("", 0)]
        # Another file of the project has a name of the entry's only by importing it.
        own, shared = set(facts.body), [call for levels in chosen.values() for call in levels]
        is_own = all(facts.top(facts.statement(call)) in own for call in shared)
        self.is_shared = number > 1 and is_own and bool(behind_start(facts, ""))
        self.rule = next((r for r, found in chosen.items() if self.level in found.values()), "")

    def name(self, facts: Facts) -> str:
        """The name of the level: a second one where the program means something else by it."""
        free = (name for name in NAMES if fresh(facts, name) == name)
        return next(free, fresh(facts, NAMES[0]))


def quiet(facts: Facts, call: ast.Call) -> Edit:
    """Keeps the level of a loud call on rank 0."""
    bound, position = facts.record(_Bound), fits.position(call, "verbose")
    if bound.is_shared and _level(facts, call) == bound.level:
        return SetArgument("verbose", bound.name(facts), position)
    return WrapArgument("verbose", on_rank_zero(facts), position, fits.VERBOSE)


def binding(facts: Facts, rule: str) -> Lines:
    """The line that binds the level, if this rule is the first one to use its name."""
    bound = facts.record(_Bound)
    if not bound.is_shared or bound.rule != rule:
        return {}
    level = on_rank_zero(facts).replace("_", bound.level, 1)
    return behind_start(facts, f"{bound.name(facts)} = {level}\n")


def on_rank_zero(facts: Facts) -> str:
    """The level for rank 0 alone; `_` stands for the user's."""
    return f"_ if {hvd(facts)}.rank() == 0 else 0"


def _levels(facts: Facts, calls: Iterable[ast.Call]) -> dict[ast.Call, str]:
    """The plain numbers among the levels of loud calls."""
    loud = {call: _level(facts, call) for call in calls if fits.is_loud(facts, call)}
    return {call: level for call, level in loud.items() if level}


def _level(facts: Facts, call: ast.Call) -> str:
    given = fits.argument(facts, call, "verbose")
    if given is None:
        return fits.VERBOSE
    is_number = isinstance(given, ast.Constant) and type(given.value) is int
    return ast.unparse(given) if is_number else ""
