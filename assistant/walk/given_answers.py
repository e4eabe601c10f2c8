"""The answers that were given, in this walk and in earlier ones, and the way back to the last."""

from __future__ import annotations

from typing import NamedTuple, Optional

from ..files.outcome import Outcome
from .dialogue import CHOICES, EDIT, SUPPRESS, YES, Answer, Edited, Obstacle, Question
from .recorded import Recorded
from .state import State


class Given(NamedTuple):
    """An answer that was given: the way back to it, and what was written down since."""

    before: State
    recorded: list[Question]
    is_final: bool = False  # nobody undoes what a person made of a file by hand
    commented: Optional[Outcome] = None  # noqa: UP045  the file, without the comment that it got


class GivenAnswers:
    """The recorded answers, with the state before each that was given in this walk."""

    def __init__(self, recorded: Recorded | None) -> None:
        self._recorded = Recorded() if recorded is None else recorded  # an empty one, too
        self._given: list[Given] = []
        self._is_asked = False  # whether the last answer was given now
        self._refused: set[tuple[str, str]] = set()  # texts, by the change that they replace

    def __len__(self) -> int:
        """How many answers were given in this walk and not taken back."""
        return len(self._given)

    def recorded(self, question: Question) -> str | Edited | None:
        """What was answered to a question, now or in an earlier walk."""
        return self._recorded.answer(question)

    def known(self, step: Question | Obstacle, is_always: bool) -> Answer:
        """The answer that needs nobody: to what is always wanted, or was answered before."""
        self._is_asked = False
        if isinstance(step, Question):
            known = YES if is_always else self.recorded(step)
            if known is not None and not self._is_refused(step, known):
                return known
        else:
            for key, offer in zip(CHOICES, step.repairs):
                if self.recorded(step.offered(offer)) == YES:
                    return key
        self._is_asked = True
        return None

    def give(self, state: State, step: Question | Obstacle, answer: Answer) -> None:
        """Notes that an answer was given in this state; to it one can go back."""
        commented = step.outcome if answer == SUPPRESS else None
        self._given.append(Given(state, [], answer == EDIT, commented))

    def withdraw(self) -> None:
        """Forgets the last answer, which was none after all."""
        if self._is_asked:
            self._given.pop()

    def refuse(self, question: Question, text: str) -> None:
        """Notes a text that can't be taken, or a recorded one would come for ever."""
        self._refused.add((question.content, text))

    def record(self, question: Question, answer: str | Edited) -> None:
        """Writes down an answer, if it is another one than before."""
        if self.recorded(question) != answer:
            self._recorded.record(question, answer)
            for given in self._given[-1:]:
                given.recorded.append(question)

    @property
    def last(self) -> Given | None:
        """The last answer; None where there was none that can be taken back."""
        last = self._given[-1] if self._given else None
        return None if last is None or last.is_final else last

    def forget(self) -> None:
        """Takes the last answer back, with what was written down since."""
        for question in self._given.pop().recorded:
            self._recorded.forget(question)

    def _is_refused(self, step: Question, known: str | Edited) -> bool:
        return isinstance(known, Edited) and (step.content, known.text) in self._refused
