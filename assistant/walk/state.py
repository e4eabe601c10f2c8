"""Where a walk stands: its files after some answers, and what is to be asked next."""

from __future__ import annotations

from typing import NamedTuple

from ..files.outcome import Outcome
from .losses import due
from .steps import Obstacle, Question

UNANSWERED = "its questions are not all answered; --resume goes on with them"


class File(NamedTuple):
    """One file on the walk, after some answers."""

    outcome: Outcome  # with what it is to be, without what is left out
    accepted: frozenset[str] = frozenset()
    left_out: frozenset[str] = frozenset()
    repairs: frozenset[str] = frozenset()  # that were chosen where something was in the way
    is_written: bool = False
    told: int = 0  # how many of its obstacles have been shown
    edited: bytes | None = None  # what a person made of it on the walk

    @property
    def ending(self) -> Outcome:
        """What became of it; nothing, as long as there are questions."""
        if self.open:
            return self.outcome._replace(after=None, migration=None, skipped=UNANSWERED)
        return self.outcome

    def becomes(self, outcome: Outcome) -> File:
        """The same with another outcome: at least what a person made of it is written."""
        is_lost = outcome.after is None and outcome.migration is not None
        return self._replace(outcome=outcome._replace(after=self.edited) if is_lost else outcome)

    def question(self, code: str, number: int = 1, left: int = 1) -> Question:
        """What is asked about one of its rules."""
        assert self.outcome.migration is not None
        text = self.outcome.migration.before
        for step in self.outcome.migration.steps:
            if step.code == code:
                break
            text = step.text
        return Question(self.outcome, code, text, step.text, number, left)

    @property
    def open(self) -> tuple[str, ...]:
        """The rules still to be asked about, in order."""
        return tuple(code for code in due(self.outcome) if code not in self.accepted)

    @property
    def obstacles(self) -> int:
        migration = self.outcome.migration
        return len(migration.blocked) if migration is not None and not self.left_out else 0


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

    def put(self, new: File) -> State:
        """The same with another state of one file."""
        target = new.outcome.target
        return self._replace(
            files=tuple(new if file.outcome.target == target else file for file in self.files)
        )
