"""**counts**: what counts the job's steps and what counts a worker's own steps agree.

Decay, boundaries, warm-up, when a rate changes and a training ends. Where workers share out the
data, each counts an Nth of the steps: what that is compared with, or divided by, is an Nth as well,
or the count is multiplied. Today's checks tell of what is shown.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts.by_rank import depends_on_size
from ..facts.causes import spelled
from ..facts.data.divided import MANY
from ..facts.optimizers.learning_rates import assigned
from ..facts.optimizers.rate_carriers import is_own_rate
from ..facts.steps.compared_counts import Meeting
from ..facts.steps.each_step import is_stepping
from ..facts.steps.units import SHARE, WHOLE, Clash, Powers, Unit, Units, Way
from ..facts.timing.advances import advances, circles
from ..facts.timing.hanging import Hanging
from ..facts.timing.rates import reckoned
from ..facts.timing.schedule_steps import decays, savings
from ..program.node_fields import within
from ..program.records import NamedTuple
from .case import Case, proved
from .known import proof_at, wrapped
from .paces import paces
from .proof import NOT_PROVED, VIOLATED, Proof

NAME = "counts"
HOW = "what is compared with a count of steps, or goes by one, counts as that does"
_ROUNDS = (ast.For, ast.While, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_EXACT = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)
_OF_RATES = (0.0, 1.0)  # a rate may grow with the workers
UNLIKE = (
    "`{}` counts {}, and `{}` counts {}: with N workers what hangs on them comes at another time "
    "than on one device"
)
ALONE = (
    "`{}` goes by {}, and not from what part of the training that is: with N "
    "workers it comes at another time than on one device"
)
NEXT = (
    "each step sets the rate to `{}`, from one to the next: with N workers there are an Nth of the "
    "steps, and the rate comes an Nth as far"
)
FURTHER = (
    "each step takes `{}` as far as on one device: with N workers there are an Nth of the steps, "
    "and it comes an Nth as far"
)
AS_FAR = "add `hvd.size()` times as much in each step, or raise what it is multiplied by to that"
ALL_STEPS = (
    "reckon it from a count of the steps of all workers: `0.1 * 0.99 ** (step * hvd.size())`"
)
LEAP = (
    "`{}` grows by `hvd.size()` with each step, and may never be `{}`: what hangs on it would not "
    "come"
)
UNCLEAR = (
    "`{}` counts a worker's own steps on some ways, and those of one device on others: with N "
    "workers what hangs on it may come at another time"
)
DIVIDED = "divide each number of steps that it may be by `hvd.size()`, or none of them"
UNKNOWN = (
    "nobody can tell whether each worker takes an Nth of the steps here or all of them, and `{}` "
    "counts them: what hangs on it may come at another time than on one device"
)
KNOWN = (
    "say how many steps each worker takes (`steps_per_epoch=`, `for step in range(steps)`), or "
    "let it go by what stays as it is, as epochs do"
)
PASSED = "ask whether it has passed that number: `>=`, once"
FIX = (
    "divide the number by `hvd.size()`, as the steps are, or count each step as `hvd.size()` of "
    "them: `{} * hvd.size()`"
)
DECAY = (
    "what is given this goes by {}, and `{}` counts {}: with N workers it comes at another time "
    "than on one device"
)


def prove(case: Case) -> Iterator[Proof]:
    """What today's checks find, and, of a result, whatever doesn't count alike."""
    found = [*wrapped(case, NAME)]
    if case.is_result:
        found += dict.fromkeys(_Counts(case).answers())
    yield from found
    if not found:
        yield proved(NAME, HOW)


class _Late(NamedTuple):
    """A number of steps of a schedule, the count that it goes by, if it is given one, and units."""

    number: ast.expr
    counter: ast.expr | None
    goes_by: Unit
    given: Unit


class _Counts:
    """The counts of one program."""

    def __init__(self, case: Case) -> None:
        self._case, self._facts = case, case.facts
        self._paces = paces(case.facts)

    def answers(self) -> Iterator[Proof]:
        """Where units don't go together, or may not."""
        pace = self._paces.pace
        if pace is None:
            yield from self._of_unknown_pace()
            return
        units = self._paces.at(pace)
        yield from (self._of_meeting(units, each) for each in self._meetings(units))
        yield from map(self._of_decay, self._late(units, pace))
        if pace == SHARE:
            yield from self._of_rounds()
            yield from self._of_leaps(units)

    def _meetings(self, units: Units) -> Iterator[Meeting]:
        return Hanging(self._facts, units, _OF_RATES).meetings()

    def _of_meeting(self, units: Units, meeting: Meeting) -> Proof:
        counter, number, place = meeting.counter, meeting.number, meeting.place
        if meeting.clash is Clash.UNCLEAR:
            is_number = number is not None and len(units.of(number).powers) > 1
            why = UNCLEAR.format(spelled(number if number is not None and is_number else counter))
            return self._proof(NOT_PROVED, place, why, DIVIDED)
        told = (spelled(counter), _whose(units.of(counter)))
        if number is None:
            why = ALONE.format(*told)
        else:
            why = UNLIKE.format(*told, spelled(number), _whose(units.of(number)))
        return self._proof(VIOLATED, place, why, FIX.format(told[0]))

    def _of_unknown_pace(self) -> Iterator[Proof]:
        """What hangs on a count, and would be wrong at the one pace or at the other."""
        places: dict[ast.AST, str] = {}
        for pace in (WHOLE, SHARE):
            units = self._paces.at(pace)
            places.update((met.place, spelled(met.counter)) for met in self._meetings(units))
            late = self._late(units, pace)
            places.update((each.number, spelled(each.counter or each.number)) for each in late)
        for place, name in places.items():
            yield self._proof(NOT_PROVED, place, UNKNOWN.format(name), KNOWN)

    def _of_rounds(self) -> Iterator[Proof]:
        """Numbers that each step takes a step further, without any count of steps."""
        for rate in assigned(self._facts):
            if self._is_each_step(rate) and self._is_next(rate):
                yield self._proof(NOT_PROVED, rate, NEXT.format(spelled(rate)), ALL_STEPS)
        for each in advances(self._facts):
            if not depends_on_size(self._facts, each.amount):
                why = FURTHER.format(spelled(each.number))
                yield self._proof(NOT_PROVED, each.amount, why, AS_FAR)
        units = self._paces.units
        for node in circles(self._facts, lambda node: units.of(node).counts):
            yield self._proof(NOT_PROVED, node, FURTHER.format(spelled(node)), AS_FAR)

    def _is_each_step(self, node: ast.AST) -> bool:
        """Whether each step comes to it, and not each so many."""
        for parent in self._facts.parents(node):
            if isinstance(parent, _ROUNDS):
                break
            if isinstance(parent, (ast.If, ast.IfExp)):
                return False
        return is_stepping(self._facts, self._facts.statement(node))

    def _is_next(self, rate: ast.expr) -> bool:
        """`optimizer.learning_rate * 0.99`, `optimizer.learning_rate *= 0.99`, `next(rates)`."""
        made = list(reckoned(self._facts, rate))
        calls = (n for n in made if isinstance(n, ast.Call))
        is_drawn = any(self._facts.name(call.func) == "builtins.next" for call in calls)
        is_changed = isinstance(self._facts.parent(rate), ast.AugAssign)
        own = (n for n in made if isinstance(n, (ast.Name, ast.Attribute, ast.Call)))
        is_product = isinstance(rate, ast.BinOp)
        return (
            is_drawn or is_changed or (is_product and any(is_own_rate(self._facts, n) for n in own))
        )

    def _of_leaps(self, units: Units) -> Iterator[Proof]:
        """Counts that grow by the workers, and are asked for one number that they may leap over."""
        for node in self._comparisons():
            sides = [node.left, *node.comparators]
            for one, op, other in zip(sides, node.ops, sides[1:]):
                for count, number in ((one, other), (other, one)):
                    if isinstance(op, _EXACT) and self._leaps(units, count):
                        why = LEAP.format(spelled(count), spelled(number))
                        yield self._proof(NOT_PROVED, node, why, PASSED)

    def _comparisons(self) -> Iterator[ast.Compare]:
        yield from (n for n in within(self._facts.module) if isinstance(n, ast.Compare))

    def _leaps(self, units: Units, count: ast.expr) -> bool:
        """Whether it is reckoned from a worker's steps, times the workers."""
        unit = units.of(count)
        if unit.way is not Way.RECKONED or unit.power != 0:
            return False
        made = list(self._facts.program.ingredients(count))
        numbers = [node for node in made if isinstance(node, ast.BinOp)]
        if any(map(_is_stage, numbers)):
            return False
        products = (node for node in numbers if isinstance(node.op, ast.Mult))
        return any(self._is_of_all(units, each) for each in products)

    def _is_of_all(self, units: Units, product: ast.BinOp) -> bool:
        sides = [units.of(product.left), units.of(product.right)]
        return any(s.powers == SHARE and s.counts for s in sides) and any(
            s.power == 1 for s in sides
        )

    def _late(self, units: Units, pace: Powers) -> Iterator[_Late]:
        """The numbers of steps of schedules of libraries that don't go with what these count."""
        for decay in (*decays(self._facts), *savings(self._facts, units)):
            count = Unit(pace, Way.COUNT) if decay.counter is None else units.of(decay.counter)
            for number in decay.numbers:
                given = units.of(number)
                if count.counts and given.powers and given.powers != count.powers:
                    yield _Late(number, decay.counter, count, given)

    def _of_decay(self, late: _Late) -> Proof:
        name = spelled(late.number)
        if len(late.goes_by.powers) > 1 or len(late.given.powers) > 1:
            return self._proof(NOT_PROVED, late.number, UNCLEAR.format(name), DIVIDED)
        why = DECAY.format(_whose(late.goes_by), name, _whose(late.given))
        fix = FIX.format("step" if late.counter is None else spelled(late.counter))
        return self._proof(VIOLATED, late.number, why, fix)

    def _proof(self, verdict: str, place: ast.AST, why: str, fix: str) -> Proof:
        return proof_at(self._case, NAME, verdict, place, why, fix)


def _is_stage(number: ast.BinOp) -> bool:
    """`step * hvd.size() // 3000`, which no step takes further than by one."""
    by = number.right.value if isinstance(number.right, ast.Constant) else None
    return isinstance(number.op, ast.FloorDiv) and isinstance(by, int) and by >= MANY


def _whose(unit: Unit) -> str:
    """Whose steps it counts."""
    if unit.power == -1:
        return "a worker's own steps"
    return "the steps of one device" if unit.power in (0, None) else "steps divided twice"
