"""Counts of steps that D106 sets right: each worker takes a share of the steps that a number means.

What is compared with a count is divided, `step > 1000 // hvd.size()`; what is reckoned from one
goes by all steps that the workers have taken together, `step * hvd.size() / total`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ...program.records import NamedTuple
from ..by_rank import depends_on_size
from ..data.divided import Share, divided, is_many, is_shorter, share, shrinks
from ..facts import Facts, recorded
from ..horovod import calls_of
from ..roles import Role
from ..steps.compared_counts import Meeting, is_turn, roots
from ..steps.counters import counters
from ..steps.units import SHARE, Clash, Counted, Units, Way
from .advances import advances
from .hanging import Hanging, is_of_optimizer

_LEAVING = (ast.Break, ast.Return)
_PASSED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class Mistimed(NamedTuple):
    """Numbers of steps of one device to divide, and counts of a worker's own steps to multiply.

    `raised`: what each step multiplies a number by, as if it were as many steps as workers.
    """

    divided: tuple[tuple[ast.expr, Share], ...] = ()
    multiplied: tuple[ast.expr, ...] = ()
    raised: tuple[ast.expr, ...] = ()


def units_of(facts: Facts) -> Units:
    """The units of the numbers as they will be where D107 has shared out the data."""

    def is_share(length: ast.expr) -> bool:
        return shrinks(facts, length) or depends_on_size(facts, length)

    return Units(facts.program, Counted(counters(facts, SHARE), is_share))


@recorded
def mistimed(facts: Facts) -> Mistimed:
    """All of a program; none where no step is left out, or which knows how many workers it has."""
    knows_size = any(True for _ in calls_of(facts, "size"))
    if knows_size or not is_shorter(facts):
        return Mistimed()
    units = units_of(facts)
    search, hanging = _Mends(facts, units), Hanging(facts, units)
    last = (each for each in hanging.shown() if search.is_last(each))
    found = [search.at(each) for each in (*hanging.meetings(), *last)]
    numbers = dict(pair for each in found for pair in each.divided)
    counts = dict.fromkeys(count for each in found for count in each.multiplied)
    further = [*advances(facts)]
    counts.update(dict.fromkeys(each.amount for each in further if not each.is_product))
    raised = tuple(each.amount for each in further if each.is_product)
    return Mistimed(tuple(numbers.items()), tuple(counts), raised)


class _Mends:
    """What is to be done in one program."""

    def __init__(self, facts: Facts, units: Units) -> None:
        self._facts, self._units = facts, units
        self._known = {number for number, _ in divided(facts)}

    def at(self, meeting: Meeting) -> Mistimed:
        """What is to be done at one."""
        number = meeting.number and _without_one(meeting.number)
        if (
            meeting.clash is Clash.UNCLEAR
            or self._is_told(meeting)
            or not self._known.isdisjoint(within(meeting.place))
        ):
            return Mistimed()
        if number is not None and number not in within(meeting.place):
            return Mistimed(tuple(self._of_container(meeting.place, number)))
        if number is not None and not meeting.goes_round and self._is_divided(meeting, number):
            is_said = not any(isinstance(node, ast.NamedExpr) for node in within(number))
            part = self._share(meeting, number)
            return Mistimed(((number, part),)) if is_said else Mistimed()
        counts = roots(self._facts.program, self._units, meeting.counter)
        return Mistimed((), tuple(each for each in counts if self._is_own(each, meeting)))

    def is_last(self, meeting: Meeting) -> bool:
        """Whether it asks for the last round of a loop of which each worker takes a share."""
        number = meeting.number and _without_one(meeting.number)
        if number is None or meeting.clash is Clash.UNCLEAR:
            return False
        rounds = {ast.unparse(each) for each in self._known}
        return ast.unparse(number) in rounds or self._is_last(meeting.place, number)

    def _is_own(self, count: ast.expr, meeting: Meeting) -> bool:
        """Whether it counts a worker's own steps, or is the expression that goes by them."""
        unit = self._units.of(count)
        is_reckoned = count is meeting.counter and not isinstance(count, (ast.Name, ast.Call))
        return unit.powers == SHARE and (unit.way is Way.COUNT or is_reckoned)

    def _of_container(self, place: ast.AST, number: ast.expr) -> Iterator[tuple[ast.expr, Share]]:
        """`steps` of `step in steps`; the keys of a table that is only asked by a count."""
        asked = place.comparators[0] if isinstance(place, ast.Compare) else None
        if not isinstance(asked, (ast.Name, ast.Attribute)):
            return
        if not isinstance(self._facts.parent(number), ast.Dict):
            yield asked, Share.EACH
        elif isinstance(asked, ast.Name) and all(map(self._is_asked, self._facts.readers(asked))):
            yield number, share(self._facts, number)

    def _is_asked(self, load: ast.AST) -> bool:
        """`step in rates`, `rates[step]`."""
        parent = self._facts.parent(load)
        if isinstance(parent, ast.Subscript):
            return self._units.of(parent.slice).way is Way.COUNT
        return isinstance(parent, ast.Compare) and load in parent.comparators

    def _is_divided(self, meeting: Meeting, number: ast.expr) -> bool:
        """Whether a count is compared with it, or examples are: not a part of the way."""
        counter = meeting.counter
        is_product = isinstance(counter, ast.BinOp) and isinstance(counter.op, ast.Mult)
        is_count = is_product or self._units.of(counter).way is Way.COUNT
        return meeting.is_asked and is_count and is_many(self._facts, number)

    def _is_told(self, meeting: Meeting) -> bool:
        """Whether it stands in a schedule, which is told the steps of all workers or of none, or in
        an optimizer, of which nobody can tell what it counts them for.
        """
        if is_of_optimizer(self._facts, meeting.place):
            return True
        cls = self._facts.cls(meeting.place)
        return cls is not None and self._facts.role_of_class(cls) is Role.SCHEDULE

    def _share(self, meeting: Meeting, number: ast.expr) -> Share:
        """Nobody gets to step 0 once more, or ends there; what is only passed may be 0."""
        ops = getattr(meeting.place, "ops", ())
        if self._is_last(meeting.place, number):
            return Share.LAST
        is_passed = bool(ops) and all(isinstance(op, _PASSED) for op in ops)
        is_end = isinstance(self._facts.statement(meeting.place), ast.While) or any(
            isinstance(parent, ast.If) and isinstance(parent.body[-1], _LEAVING)
            for parent in self._facts.parents(meeting.place)
        )
        is_last = number is not meeting.number  # `n` of `n - 1`
        is_any = is_passed and not is_end and not is_last
        return Share.ANY if is_any else share(self._facts, number)

    def _is_last(self, place: ast.AST, number: ast.expr) -> bool:
        """Whether it is one less than the rounds of a loop around, or of a turn, both written."""
        value = number.value if isinstance(number, ast.Constant) else None
        loops = (p for p in self._facts.parents(place) if isinstance(p, ast.For))
        rounds = (n for loop in loops for n in self._facts.program.ingredients(loop.iter))
        turns = (n.right for n in within(place) if is_turn(n))  # type: ignore[attr-defined]
        counts = [n for n in rounds if n in self._known] + [*turns]
        written = [n.value for n in counts if isinstance(n, ast.Constant)]
        return isinstance(value, int) and value + 1 in written


def _without_one(number: ast.expr) -> ast.expr:
    """`n` of `n - 1`."""
    is_sum = isinstance(number, ast.BinOp) and isinstance(number.op, (ast.Add, ast.Sub))
    right = number.right if is_sum else None  # type: ignore[attr-defined]
    is_one = isinstance(right, ast.Constant) and right.value == 1
    return number.left if is_one else number  # type: ignore[attr-defined]
