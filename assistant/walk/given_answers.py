"""The answers that were given, in this walk and in earlier ones, and the way back to the last."""

from __future__ import annotations

from .recorded import Recorded
from .state import State
from .steps import CHOICES, YES, Answer, Edited, Obstacle, Question


class GivenAnswers:
    """The recorded answers, with the state before each that was given in this walk."""

    def __init__(self, recorded: Recorded | None) -> None:
        self._recorded = Recorded() if recorded is None else recorded  # an empty one, too
        self._before: list[tuple[State, list[Question]]] = []  # with what was recorded since
        self._is_asked = False  # whether the last answer was given now
        self._refused: set[tuple[str, str]] = set()  # texts, by the change that they replace

    def __len__(self) -> int:
        """How many answers were given in this walk and not taken back."""
        return len(self._before)

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

    def give(self, state: State) -> None:
        """Notes that an answer was given in this state; to it one can go back."""
        self._before.append((state, []))

    def withdraw(self) -> None:
        """Forgets the last answer, which was none after all."""
        if self._is_asked:
            self._before.pop()

    def refuse(self, question: Question, text: str) -> None:
        """Notes a text that can't be taken, or a recorded one would come for ever."""
        self._refused.add((question.content, text))

    def record(self, question: Question, answer: str | Edited) -> None:
        """Writes down an answer, if it is another one than before."""
        if self.recorded(question) != answer:
            self._recorded.record(question, answer)
            for _, recorded in self._before[-1:]:
                recorded.append(question)

    @property
    def before(self) -> State | None:
        """The state in which the last answer was given; None where none was."""
        return self._before[-1][0] if self._before else None

    def forget(self) -> None:
        """Takes the last answer back, with what was written down since."""
        for question in self._before.pop()[1]:
            self._recorded.forget(question)

    def _is_refused(self, step: Question, known: str | Edited) -> bool:
        return isinstance(known, Edited) and (step.content, known.text) in self._refused
