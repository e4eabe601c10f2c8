"""**counts**: what counts the job's steps and what counts a worker's own steps agree.

Decay, boundaries, warm-up, when a rate changes and a training ends. Where workers share out the
data, each counts an Nth of the steps: what that is compared with, or divided by, is an Nth as well,
or the count is multiplied. Today's checks tell of what is shown.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts.causes import spelled
from ..facts.steps.decays import decays
from ..facts.steps.hanging import Hanging
from ..facts.steps.units import Unit, Units, Way
from .case import Case, proved
from .known import proof_at, wrapped
from .paces import paces
from .proof import VIOLATED, Proof

NAME = "counts"
HOW = "what is compared with a count of steps, or goes by one, counts as that does"
_OF_RATES = (0.0, 1.0)  # a rate may grow with the workers
UNLIKE = (
    "`{}` counts {}, and `{}` counts {}: with N workers what hangs on them comes at another time "
    "than on one device"
)
ALONE = (
    "`{}` goes by {}, and not from what part of the training that is: with N "
    "workers it comes at another time than on one device"
)
FIX = (
    "divide the number by `hvd.size()`, as the steps are, or count each step as `hvd.size()` of "
    "them: `{} * hvd.size()`"
)
DECAY = (
    "this schedule goes by {}, and `{}` counts {}: with N workers it comes to its end at "
    "another time than on one device"
)


def prove(case: Case) -> Iterator[Proof]:
    """What today's checks find, and, of a result, whatever doesn't count alike."""
    found = [*wrapped(case, NAME)]
    if case.is_result:
        found += dict.fromkeys(_Counts(case).answers())
    yield from found
    if not found:
        yield proved(NAME, HOW)


class _Counts:
    """The counts of one program."""

    def __init__(self, case: Case) -> None:
        self._case, self._facts = case, case.facts
        self._paces = paces(case.facts)

    def answers(self) -> Iterator[Proof]:
        """Where units don't go together."""
        if self._paces.pace is None:
            return
        units = self._paces.units
        for meeting in Hanging(self._facts, units, _OF_RATES).meetings():
            count = units.of(meeting.counter)
            fix = FIX.format(spelled(meeting.counter))
            if meeting.number is None:
                why = ALONE.format(spelled(meeting.counter), _whose(count))
            else:
                number = units.of(meeting.number)
                told = (spelled(meeting.counter), _whose(count), spelled(meeting.number))
                why = UNLIKE.format(*told, _whose(number))
            yield proof_at(self._case, NAME, VIOLATED, meeting.place, why, fix)
        yield from self._of_schedules(units)

    def _of_schedules(self, units: Units) -> Iterator[Proof]:
        """The numbers of steps that schedules of libraries are given."""
        pace = Unit(self._paces.pace or frozenset(), Way.COUNT)
        for decay in decays(self._facts):
            count = pace if decay.counter is None else units.of(decay.counter)
            for number in decay.numbers:
                given = units.of(number)
                is_known = count.power is not None and given.power is not None
                if is_known and count.counts and count.power != given.power:
                    why = DECAY.format(_whose(count), spelled(number), _whose(given))
                    fix = FIX.format("step" if decay.counter is None else spelled(decay.counter))
                    yield proof_at(self._case, NAME, VIOLATED, number, why, fix)


def _whose(unit: Unit) -> str:
    """Whose steps it counts."""
    if unit.power == -1:
        return "a worker's own steps"
    return "the steps of one device" if unit.power in (0, None) else "steps divided twice"
