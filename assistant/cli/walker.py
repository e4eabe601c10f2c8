"""The walk on a terminal: shows each step, asks, and does what was answered."""

from __future__ import annotations

import shlex
import sys
from typing import Callable, NoReturn

import click

from .. import codemods
from ..files import originals
from ..files.choice import Choice
from ..files.reader import Problem
from ..files.result import Result
from ..files.saved import NotSaved
from ..files.source import Unreadable
from ..report import walk as drawn
from ..report.keyboard import ask, ask_line
from ..report.lines import EMPTY, Span
from ..report.terminal import Terminal
from ..walk import trial
from ..walk.answers import Answers, Session
from ..walk.dialogue import (
    ALL,
    DONE,
    EDIT,
    NO,
    QUIT,
    SPLIT,
    SUPPRESS,
    TRY,
    YES,
    Answer,
    Asked,
    Edited,
    Obstacle,
    Question,
    Refused,
    Restore,
    Step,
    Uncomment,
    Write,
)
from ..walk.disk import Disk
from ..walk.edited import STAYS
from ..walk.interview import Interview
from ..walk.joined import joined
from ..walk.keys import HELP, HUNK, keys_of
from ..walk.looks import Looks
from ..walk.split import hunks, with_some
from ..walk.suppression import commented
from .interactive import is_terminal

FAILED = 2


class Walker:
    """One walk over a result. Files are written as soon as all is answered about them.

    `is_held` puts that off to the end: for commits, and where answers are played back, which
    changes all files or none.
    """

    def __init__(
        self, recorded: Answers, terminal: Terminal, choice: Choice, is_held: bool
    ) -> None:
        self._recorded, self._terminal, self._choice = recorded, terminal, choice
        self._rules = {rule.code: rule for rule in codemods.changes()}
        self._disk = Disk([])
        self._look = Looks(choice, self._disk, ())
        self._commits = is_held
        self.is_held = is_held or not is_terminal()
        self.is_left = False  # before all was answered

    def __call__(self, result: Result) -> Result:
        """The result after the walk; ends the program where an answer is missing."""
        self._disk = Disk(result.outcomes)
        self._look = Looks(self._choice, self._disk, result.seen)
        units, rules = joined(result.outcomes), [*self._rules.values()]
        talk = Interview(units, rules, self._look, self._recorded, self._look.units)
        if is_terminal():
            self._terminal.show(drawn.overview(units, self._terminal.width()))
        try:
            self._go(talk)
        except (KeyboardInterrupt, EOFError):
            self._terminal.show([EMPTY])
            self.is_left = True
        except NotSaved as error:
            self._fail(
                f"{self._recorded.path}: {error}; what was written before is as you answered"
            )
        if is_terminal():
            self._terminal.show(drawn.answered(talk.tallies, self._terminal.width()))
        originals.keep(self._disk.changes)
        if isinstance(self._recorded, Session):
            if self.is_left:
                self._say(self._recorded.farewell, "note")
            else:
                self._recorded.end()
        order = {target.path: at for at, (target, _) in enumerate(result.seen)}
        outcomes = sorted(talk.outcomes, key=lambda each: order[each.target.path])
        return result._replace(outcomes=outcomes)

    def _go(self, interview: Interview) -> None:
        steps = interview.steps()
        step = next(steps, None)
        while step is not None:
            answer = self._answer(step)
            self.is_left = answer == QUIT
            try:
                step = steps.send(answer)
            except StopIteration:
                return

    def _answer(self, step: Step) -> Answer:
        if isinstance(step, (Write, Restore, Uncomment)):
            return None if self.is_held else self._put(step)
        if not is_terminal():
            return self._answer_by_itself(step)
        self._terminal.show(drawn.step(step, self._rules, self._terminal.width()))
        if isinstance(step, Refused):
            return YES
        acts = {
            EDIT: self._answer_after_editing,
            SPLIT: self._split,
            SUPPRESS: self._take_on,
            TRY: self._try_it,
            HELP: self._explain,
        }
        answer: Answer = None
        while answer is None:
            key = ask(drawn.prompt(step, keys_of(step)), list(keys_of(step)))
            if self._commits and isinstance(step, Obstacle) and key in (EDIT, SUPPRESS):
                self._say(STAYS, "note")
            else:
                answer = acts[key](step) if key in acts else key
        return answer

    def _answer_after_editing(self, step: Asked) -> Answer:
        """The answer of who comes back from an editor; None if nothing was done there."""
        source = step.outcome.source
        if self._commits and source is not None and source.cells is not None:
            self._say("the commits of a notebook are those of the rules: edit it then", "note")
            return None
        return edited(step, self._say)

    def _split(self, step: Asked) -> Answer:
        """The answer that those to each hunk make; None where the whole is asked about again."""
        assert isinstance(step, Question)
        parts, taken = hunks(step.before, step.after), set[int]()
        rest = ""  # what all later ones are answered with
        for number in range(len(parts)):
            key = rest or self._about_hunk(step, number, len(parts))
            if key == QUIT:
                return None
            rest = key if key in (ALL, DONE) else ""
            taken |= {number} if key in (YES, ALL) else set()
        if len(taken) in (0, len(parts)):
            return YES if taken else NO
        return Edited(with_some(step.before, step.after, taken), is_part=True)

    def _about_hunk(self, step: Question, number: int, most: int) -> str:
        self._terminal.show(drawn.hunk(step, number, most))
        while True:
            key = ask(drawn.with_keys("Take this hunk?", HUNK), list(HUNK))
            if key != HELP:
                return key
            self._terminal.show(drawn.keys(HUNK))

    def _try_it(self, step: Asked) -> Answer:
        """Nothing is answered by it: what there is so far is run."""
        words = ask_line("Arguments of the program, if it needs any: ")
        try:
            trial.run(step.outcome, shlex.split(words))
        except (OSError, ValueError) as error:
            self._say(f"it could not be tried: {error}", "blocked")
        return None

    def _take_on(self, step: Asked) -> Answer:
        """Puts the comment into the file; None where that can't be, or nothing was said."""
        assert isinstance(step, Obstacle)
        reason = ask_line("Why is it right here? ")
        if not reason:
            return None
        try:
            data = commented(step, reason, self._look)
        except Unreadable as error:
            self._say(error.message, "note")
            return None
        problem = self._disk.replace(step.outcome, data)
        if problem is not None:
            self._say(f"{problem.name} {problem.message}", "blocked")
        return SUPPRESS if problem is None else None

    def _answer_by_itself(self, step: Asked | Refused) -> Answer:
        """Without a person: what is in the way stays there, and each question needs an answer."""
        if isinstance(step, Question):
            self._refuse(step)
        return YES

    def _refuse(self, step: Question) -> NoReturn:
        what = f"{step.outcome.name}: no answer to what {step.code} changes there now"
        way = f"`distify migrate --interactive --answers {self._recorded.path}` asks on a terminal"
        self._fail(f"{what}; {way}")

    def _fail(self, message: str) -> NoReturn:
        self._terminal.show([(Span("error: ", "blocked"), Span(message))], error=True)
        sys.exit(FAILED)

    def _explain(self, step: Asked) -> Answer:
        code = drawn.code(step)
        if code in codemods.pages():
            self._terminal.page(codemods.page(code))
        self._terminal.show(drawn.keys(keys_of(step)))  # below the page, where it is seen
        return None

    def _put(self, step: Write | Restore | Uncomment) -> Problem | None:
        problem, changed = self._disk.put(step), [e for e in step.outcome.files if e.changed]
        if isinstance(step, Uncomment):
            self._look.again()
        name = ", ".join(each.name for each in changed) or step.outcome.name
        done = "written" if isinstance(step, Write) else "put back as it was"
        message = f"{name} {problem.message}" if problem else f"{name}: {done}"
        self._say(message, "blocked" if problem else "changed")
        return problem

    def _say(self, text: str, style: str) -> None:
        self._terminal.show([(Span(text, style),)])


# -- what comes back from a person's own editor --------------------------------------------------


def edited(step: Asked, say: Callable[[str, str], None]) -> Answer:
    """What a person made of a rule, or that the file was edited; None if nothing was done there.

    An editor that fails, or is not there, is told, and nothing was done.
    """
    try:
        if not isinstance(step, Question):
            click.edit(filename=step.outcome.target.path)
            return EDIT
        text = click.edit(step.after, extension=".py")
    except click.ClickException as error:
        say(f"{error.format_message()}; the variable EDITOR can name another one", "blocked")
        return None
    return Edited(text) if text else None
