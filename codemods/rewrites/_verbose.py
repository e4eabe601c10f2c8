"""How much `fit`, `evaluate` and `predict` tell: rank 0 as much as before, the others nothing."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..edits import Edit, SetArgument, WrapArgument
from ..facts.by_rank import is_decided
from ..facts.output.fit_callbacks import printing_callbacks
from ..facts.output.rank_zero_guards import is_in_picture, is_left_to_rank_zero
from ..facts.training import fits
from ._import_edits import Lines
from ._new_code import fresh, hvd
from ._start_edits import behind_start

if TYPE_CHECKING:
    from ..facts import Facts

FITS, TESTS = "D302", "D303"  # the rules that write levels
NAMES = ("verbose", "verbosity")


class _Bound:
    """The levels that several calls share; each gets a name behind the start of Horovod."""

    def __init__(self, facts: Facts) -> None:
        calls = {FITS: fits.fits(facts), TESTS: fits.tests(facts)}
        chosen = {
            rule: _levels(facts, calls[rule]) for rule in calls if facts.options.applies(rule)
        }
        if FITS in chosen:
            chosen[FITS].update({each.call: each.level for each in printing_callbacks(facts)})
        counts = Counter(level for levels in chosen.values() for level in levels.values())
        # Another file of the project has a name of the entry's only by importing it.
        own, shared = set(facts.body), [call for levels in chosen.values() for call in levels]
        is_own = all(facts.top(facts.statement(call)) in own for call in shared)
        is_bound = is_own and bool(behind_start(facts, ""))
        self.levels = [level for level, n in counts.most_common() if n > 1 and is_bound]
        users = (
            r for r, found in chosen.items() if not set(self.levels).isdisjoint(found.values())
        )
        self.rule = next(users, "")

    def name(self, facts: Facts, level: str) -> str:
        """The name of a level: another one where the program means something else by it."""
        free = (name for name in NAMES if fresh(facts, name) == name)
        name = next(free, fresh(facts, NAMES[0]))
        return name if level == self.levels[0] else fresh(facts, f"{name}_{level}")


def is_loud(facts: Facts, call: ast.Call) -> bool:
    """Whether it tells of its progress, and on every worker."""
    if not fits.is_loud(facts, call) or is_decided(facts, call) or is_in_picture(facts, call):
        return False
    return not (facts.options.applies("D203") and is_left_to_rank_zero(facts, call))


def quiet(facts: Facts, call: ast.Call) -> Edit:
    """Keeps the level of a loud call on rank 0."""
    return _told(facts, _level(facts, call), fits.position(call, "verbose"))


def quiet_callbacks(facts: Facts) -> dict[ast.Call, Edit]:
    """Keeps what callbacks print of themselves on rank 0."""
    found = printing_callbacks(facts)
    return {each.call: _told(facts, each.level, each.position) for each in found}


def _told(facts: Facts, level: str, position: int | None) -> Edit:
    bound = facts.record(_Bound)
    if level in bound.levels:
        return SetArgument("verbose", bound.name(facts, level), position)
    return WrapArgument("verbose", on_rank_zero(facts), position, fits.VERBOSE)


def binding(facts: Facts, rule: str) -> Lines:
    """The lines that bind the levels, if this rule is the first one to use their names."""
    bound = facts.record(_Bound)
    if not bound.levels or bound.rule != rule:
        return {}
    value = on_rank_zero(facts)
    named = (f"{bound.name(facts, x)} = {value.replace('_', x, 1)}\n" for x in bound.levels)
    return behind_start(facts, "".join(named))


def on_rank_zero(facts: Facts) -> str:
    """The level for rank 0 alone; `_` stands for the user's."""
    return f"_ if {hvd(facts)}.rank() == 0 else 0"


def _levels(facts: Facts, calls: Iterable[ast.Call]) -> dict[ast.Call, str]:
    """The plain numbers among the levels of loud calls."""
    loud = {call: _level(facts, call) for call in calls if is_loud(facts, call)}
    return {call: level for call, level in loud.items() if level}


def _level(facts: Facts, call: ast.Call) -> str:
    given = fits.argument(facts, call, "verbose")
    if given is None:
        return fits.VERBOSE
    is_number = isinstance(given, ast.Constant) and type(given.value) is int
    return ast.unparse(given) if is_number else ""
