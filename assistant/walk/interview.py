"""The walk as a generator of steps that is sent answers: no terminal, no disk.

Rules are asked about in the order in which they are applied, each file by file. Whatever is
answered, a file is written as a whole: with all the rules that its result needs, or not at all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Mapping, Sequence
from functools import partial
from typing import Callable

from ..codemods import Rule
from ..files.outcome import Outcome
from ..files.reader import Problem
from ..files.source import Unreadable
from .dialogue import (
    ALL,
    BACK,
    CHOICES,
    DONE,
    EDIT,
    EVERYWHERE,
    NO,
    QUIT,
    SUPPRESS,
    YES,
    Answer,
    Edited,
    Loss,
    Obstacle,
    Question,
    Refused,
    Restore,
    Step,
    Uncomment,
    Write,
)
from .given_answers import GivenAnswers
from .lost_rules import NONE, Look, due, without
from .recorded import Recorded
from .state import File, State, Tally, failed, left

DECLINED = "as you answered"
SEVERAL = "a text of one file can't stand for what a rule makes of several"
Units = Callable[["Mapping[str, frozenset[str]]"], "list[Outcome]"]  # by the repairs of each path
Steps = Generator[Step, Answer, None]


class Interview:
    """A walk over files; `look` looks at one again, without some rules, `units` at all of them."""

    def __init__(
        self,
        outcomes: Sequence[Outcome],
        rules: Sequence[Rule],
        look: Look,
        recorded: Recorded | None = None,
        units: Units | None = None,
    ) -> None:
        self._state = State(tuple(map(File, outcomes)))
        self._rules, self._look, self._units = rules, look, units
        self._given = GivenAnswers(recorded)
        self._asked: dict[str, set[str]] = defaultdict(set)  # rules, by the path of the file

    @property
    def outcomes(self) -> list[Outcome]:
        """What became of each file so far."""
        return [each for file in self._state.files for each in file.ending.files]

    @property
    def tallies(self) -> list[Tally]:
        """What was answered so far, in words, file by file."""
        return [file.tally(self._asked[file.outcome.target.path]) for file in self._state.files]

    def steps(self) -> Steps:
        """All steps, until there is nothing to ask or QUIT is answered."""
        yield from self._write()
        while True:
            step = self._state.next(len(self._given) + 1)
            if step is None:
                return
            answer = yield from self._answer_to(step)
            if answer == QUIT:
                return
            if answer == BACK:
                yield from self._go_back()
            elif isinstance(step, Obstacle):
                self._tell(step, answer)
            elif isinstance(step, Question):
                yield from self._decide(step, answer)
            yield from self._write()

    def _answer_to(self, step: Question | Obstacle) -> Generator[Step, Answer, Answer]:
        """What was answered before, or is now; only to the latter one can go back."""
        if isinstance(step, Question):
            self._asked[step.outcome.target.path].update(self._state.file(step.outcome).open)
        is_always = isinstance(step, Question) and step.code in self._state.always
        known = self._given.known(step, is_always)
        if known is not None:
            return known
        answer = yield step
        if answer not in (BACK, QUIT):
            self._given.give(self._state, step, answer)
        return answer

    def _tell(self, step: Obstacle, answer: Answer) -> None:
        file = self._state.file(step.outcome)
        if answer in (EDIT, SUPPRESS):
            again = self._look(step.outcome._replace(source=None), NONE, file.repairs)
            self._put(File(again, file.repairs, repairs=file.repairs))
        elif isinstance(answer, str) and answer in CHOICES:
            offer = step.repairs[CHOICES.index(answer)]
            self._given.record(step.offered(offer), YES)
            repairs = file.repairs | {offer.code}
            self._put(File(self._look(file.outcome, NONE, repairs), repairs, repairs=repairs))
        else:
            self._put(file._replace(told=file.told + 1))
            return
        if self._units is not None:  # what was in the way of one may have been in that of others
            self._state = self._state.joined(self._units(self._state.repairs))

    def _decide(self, question: Question, answer: Answer) -> Steps:
        if answer in (NO, DONE):
            yield from self._leave_out(question, answer == DONE)
            return
        if isinstance(answer, Edited):
            yield from self._edit(question, answer)
            return
        if answer == EVERYWHERE:
            self._state = self._state._replace(always=self._state.always | {question.code})
        file = self._state.file(question.outcome)
        codes = file.open if answer == ALL else (question.code,)
        for code in codes:
            self._given.record(file.question(code), YES)
        self._put(file._replace(accepted=file.accepted.union(codes)))

    def _edit(self, question: Question, answer: Edited) -> Steps:
        """Goes on with a person's text, if nothing is in its way; what it lacks is asked anew."""
        file, text = self._state.file(question.outcome), answer.text
        rules = self._rules if answer.is_part else []  # what needs the rest goes with it
        codes = file.left_out | ({question.code} if answer.is_part else NONE)
        assert file.outcome.source is not None
        try:
            if file.outcome.beside:
                raise Unreadable(SEVERAL)
            source = file.outcome.source.with_text(text)
        except Unreadable as error:
            reasons: tuple[str, ...] = (error.message,)
        else:
            edited = file.outcome._replace(source=source)
            then = without(edited, codes, rules, self._with_repairs(file))
            reasons = then.reasons
        if reasons:
            self._given.withdraw()
            self._given.refuse(question, text)
            yield Refused(question.outcome, reasons)
            return
        others = {*file.open} - {*due(then.outcome)} - {question.code} if answer.is_part else NONE
        if others and (
            yield from self._is_kept(Loss(file.outcome, question.code, tuple(sorted(others)), ()))
        ):
            return
        file = file._replace(left_out=then.left_out)
        self._given.record(question, answer)
        self._put(file.edit(question.code, source).becomes(then.outcome))

    def _leave_out(self, question: Question, is_done: bool) -> Steps:
        """Leaves out a rule, or all that are open, once it is known what falls away with it."""
        file = self._state.file(question.outcome)
        codes = file.left_out | ({*file.open} if is_done else {question.code})
        then = without(file.outcome, codes, self._rules, self._with_repairs(file))
        others = set(due(file.outcome)) - set(due(then.outcome)) - codes
        is_known = self._given.recorded(question) == NO
        if (others or then.reasons) and not is_known:
            loss = Loss(file.outcome, question.code, tuple(sorted(others)), then.reasons)
            if (yield from self._is_kept(loss)):
                return
        for code in file.open if is_done else [question.code]:
            self._given.record(file.question(code), NO)
        outcome = then.outcome
        if then.reasons or not (any(each.changed for each in outcome.files) or file.edited):
            outcome = left(file.outcome, DECLINED)
        self._put(file._replace(left_out=then.left_out).becomes(outcome))

    def _is_kept(self, loss: Loss) -> Generator[Step, Answer, bool]:
        """Whether a person, who is told what falls away with a rule, thinks better of it."""
        if (yield loss) == YES:
            return False
        self._given.withdraw()
        return True

    def _write(self) -> Steps:
        """Writes each file that has no open question."""
        for file in self._state.files:
            is_ready = any(each.changed for each in file.outcome.files) and not file.open
            if is_ready and not file.is_written:
                problem = yield Write(file.outcome)
                outcome = file.outcome
                if isinstance(problem, Problem):
                    outcome = failed(outcome, problem)
                self._put(file._replace(outcome=outcome, is_written=True))

    def _go_back(self) -> Steps:
        """To the last answer; what was written since then is taken back, or all stays as it is."""
        last = self._given.last
        if last is None:
            return
        for now in self._state.written_since(last.before):
            if isinstance((yield Restore(now.outcome)), Problem):
                return  # those that were put back are written again
            self._put(now._replace(is_written=False))
        if last.commented and isinstance((yield Uncomment(last.commented)), Problem):
            return
        self._given.forget()
        self._state = last.before

    def _with_repairs(self, file: File) -> Look:
        return partial(self._look, repairs=file.repairs)

    def _put(self, file: File) -> None:
        self._state = self._state.put(file)
