"""Where a walk stands: its files after some answers, and what is to be asked next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ..files.outcome import Outcome
from ..files.reader import Problem
from .dialogue import Change, Obstacle, Question
from .edited import behind_edit, whole
from .lost_rules import NONE, due

if TYPE_CHECKING:
    from distify.codemods.model import Step

    from ..files.source import Source

UNANSWERED = "its questions are not all answered; --resume goes on with them"


class Tally(NamedTuple):
    """What was answered about the rules of a file: each kind of answer with its rules."""

    name: str
    counts: tuple[tuple[str, tuple[str, ...]], ...]


class File(NamedTuple):
    """One file on the walk, after some answers."""

    outcome: Outcome  # with what it is to be, without what is left out
    accepted: frozenset[str] = frozenset()
    left_out: frozenset[str] = frozenset()
    repairs: frozenset[str] = frozenset()  # that were chosen where something was in the way
    is_written: bool = False
    told: int = 0  # how many of its obstacles have been shown
    edited: bytes | None = None  # what a person made of it on the walk
    first: Outcome | None = None  # as it was before that
    fixed: tuple[Step, ...] = ()  # what the rules had made by then, the edited one at the end

    @property
    def ending(self) -> Outcome:
        """What became of it; nothing, as long as there are questions."""
        now = left(self.outcome, UNANSWERED) if self.open else self.outcome
        return now if self.first is None else whole(self.first, self.fixed, now)

    def becomes(self, outcome: Outcome) -> File:
        """The same with another outcome: at least what a person made of it is written."""
        is_lost = outcome.proposed is None and outcome.migration is not None
        return self._replace(outcome=outcome._replace(proposed=self.edited) if is_lost else outcome)

    def edit(self, code: str, source: Source) -> File:
        """The same with what a person made of one of its rules, as the text to go on with."""
        migration = self.outcome.migration
        steps = () if migration is None else migration.steps
        return self._replace(
            accepted=frozenset(),
            edited=source.data,
            first=self.first or self.outcome,
            fixed=behind_edit(self.fixed, steps, code, source.text),
        )

    def question(self, code: str, number: int = 1, most: int = 1) -> Question:
        """What is asked about one of its rules."""
        own, *others = (_change(each, code) for each in self.outcome.files)
        beside = tuple(each for each in others if each.before != each.after)
        return Question(self.outcome, code, own.before, own.after, number, most, beside)

    def tally(self, asked: AbstractSet[str]) -> Tally:
        """What was answered about it so far, of the rules that anything was `asked` about."""
        # What the rules before an edit had made is in the edited text, and one with its own.
        edited = frozenset(step.code for step in self.fixed[-1:])
        accepted = self.accepted.union(step.code for step in self.fixed) - edited - self.left_out
        given = {
            "applied" if self.is_written else "accepted": accepted,
            "edited or taken in part": edited,
            "left out": (self.left_out & asked) - edited,
            "not yet answered": frozenset(self.open),
        }
        counts = ((what, tuple(sorted(codes))) for what, codes in given.items() if codes)
        return Tally(self.outcome.name, tuple(counts))

    @property
    def open(self) -> tuple[str, ...]:
        """The rules still to be asked about, in order."""
        return tuple(code for code in due(self.outcome) if code not in self.accepted)

    @property
    def obstacles(self) -> int:
        migration = self.outcome.migration
        return len(migration.blocked) if migration is not None and not self.left_out else 0


def left(outcome: Outcome, why: str) -> Outcome:
    """The same with nothing to be written, neither of it nor of what changes with it."""
    beside = tuple(left(each, why) if each.changed else each for each in outcome.beside)
    return outcome._replace(proposed=None, migration=None, skipped=why, beside=beside)


def failed(outcome: Outcome, problem: Problem) -> Outcome:
    """The same, as it could not be written."""
    beside = tuple(failed(each, problem) if each.changed else each for each in outcome.beside)
    return outcome._replace(problem=problem._replace(name=outcome.name), beside=beside)


def _change(outcome: Outcome, code: str) -> Change:
    """What a rule changes in one file; twice the same text where it changes nothing."""
    text = outcome.migration.before if outcome.migration is not None else ""
    for step in outcome.migration.steps if outcome.migration is not None else ():
        if step.code == code:
            return Change(outcome.name, text, step.text)
        text = step.text
    return Change(outcome.name, text, text)


class State(NamedTuple):
    """All files, and what was answered for all of them."""

    files: tuple[File, ...]
    always: frozenset[str] = frozenset()  # rules that were accepted for all files

    def next(self, number: int) -> Question | Obstacle | None:
        """What is in a file's way, then each rule, file by file; None if all was answered."""
        for file in self.files:
            if file.told < file.obstacles:
                return Obstacle(file.outcome, file.told)
        questions = [(code, at) for at, file in enumerate(self.files) for code in file.open]
        if not questions:
            return None
        code, at = min(questions)
        return self.files[at].question(code, number, len(questions))

    def file(self, outcome: Outcome) -> File:
        """The file that a step was about."""
        return next(file for file in self.files if file.outcome.target == outcome.target)

    @property
    def repairs(self) -> dict[str, frozenset[str]]:
        """The repairs that were chosen, by the path of each file."""
        known = [(each, file.repairs) for file in self.files for each in file.outcome.files]
        return {each.target.path: repairs for each, repairs in known}

    def joined(self, units: Sequence[Outcome]) -> State:
        """The same with other files together; what has changed is told from its beginning."""
        before = {file.outcome.target.path: file for file in self.files}
        return self._replace(files=tuple(map(partial(self._again, before), units)))

    def _again(self, before: Mapping[str, File], unit: Outcome) -> File:
        old = before.get(unit.target.path)
        if old is not None and old.outcome == unit:
            return old
        chosen = (self.repairs.get(each.target.path, NONE) for each in unit.files)
        repairs = NONE.union(*chosen)
        return File(unit, repairs, repairs=repairs)

    def written_since(self, before: State) -> list[File]:
        """The files that were written since then."""
        old = {file.outcome.target for file in before.files if file.is_written}
        written = (file for file in self.files if file.is_written)
        return [f for f in written if f.outcome.target not in old and f.outcome.problem is None]

    def put(self, new: File) -> State:
        """The same with another state of one file."""
        target = new.outcome.target
        return self._replace(
            files=tuple(new if file.outcome.target == target else file for file in self.files)
        )
