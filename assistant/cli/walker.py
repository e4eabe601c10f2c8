"""The walk on a terminal: shows each step, asks, and does what was answered."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

import click

from .. import codemods
from ..files.choice import Choice
from ..files.outcome import Outcome, examine_bytes
from ..files.reader import Problem, reason
from ..files.result import Result
from ..files.source import read
from ..files.writes import Change, WriteFailed, write_all
from ..report import walk as drawn
from ..report.lines import EMPTY, Line, Span
from ..report.terminal import Terminal
from ..walk.answers import Answers, Session
from ..walk.interview import Interview
from ..walk.keys import HELP, KEYS
from ..walk.steps import (
    EDIT,
    QUIT,
    YES,
    Answer,
    Edited,
    Loss,
    Obstacle,
    Question,
    Refused,
    Restore,
    Step,
    Write,
)
from .interactive import is_terminal

FAILED, INTERRUPTED = 2, 130
LEFT = "left; what was answered is kept: `distify migrate --interactive --resume` goes on"


class Walker:
    """One walk over a result. Files are written as soon as all is answered about them.

    `is_held` puts that off to the end: for commits, and where answers are played back, which
    changes all files or none.
    """

    def __init__(
        self, recorded: Answers, terminal: Terminal, choice: Choice, is_held: bool
    ) -> None:
        self._recorded, self._terminal, self._choice = recorded, terminal, choice
        self._rules = {rule.code: rule for rule in codemods.rules()}
        self._first: dict[str, bytes] = {}  # what the files held when they were looked at
        self._held: dict[str, bytes] = {}  # and what they hold now, by path
        self._commits = is_held
        self.is_held = is_held or not is_terminal()
        self.is_left = False  # before all was answered

    def __call__(self, result: Result) -> Result:
        """The result after the walk; ends the program where an answer is missing."""
        rules = list(self._rules.values())
        for outcome in result.outcomes:
            self._first[outcome.target.path] = outcome.source.data if outcome.source else b""
        self._held = dict(self._first)
        interview = Interview(result.outcomes, rules, self._look, self._recorded)
        if is_terminal():
            self._terminal.show(drawn.overview(result.outcomes, self._terminal.width()))
        try:
            self._go(interview)
        except (KeyboardInterrupt, EOFError):
            self._terminal.show([EMPTY])
            self.is_left = True
        if self.is_left and isinstance(self._recorded, Session):
            self._say(LEFT, "note")
        elif isinstance(self._recorded, Session):
            self._recorded.end()
        return result._replace(outcomes=interview.outcomes)

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
        if isinstance(step, (Write, Restore)):
            return None if self.is_held else self._put(step)
        if not is_terminal():
            return self._played(step)
        self._terminal.show(self._lines(step))
        if isinstance(step, Refused):
            return YES
        while True:
            key = self._terminal.ask(_prompt(step), list(KEYS[type(step)]))
            answer = self._edited(step) if key == EDIT else key
            if answer == HELP:
                self._explain(step)
            elif answer is not None:
                return answer

    def _edited(self, step: Question | Obstacle | Loss) -> Answer:
        """The answer of who comes back from an editor; None if nothing was done there."""
        if not isinstance(step, Question):
            click.edit(filename=step.outcome.target.path)
            return EDIT
        if self._commits:
            self._say("the commits are those of the rules: edit once they are made", "note")
            return None
        text = click.edit(step.after, extension=".py")
        return Edited(text) if text else None

    def _played(self, step: Question | Obstacle | Refused | Loss) -> Answer:
        """Without a person: what is in the way stays there, and each question needs an answer."""
        if isinstance(step, Question):
            self._refuse(step)
        return YES

    def _refuse(self, step: Question) -> NoReturn:
        what = f"{step.outcome.name}: no answer to what {step.code} changes there now"
        way = f"`distify migrate --interactive --answers {self._recorded.path}` asks on a terminal"
        self._terminal.show([(Span("error: ", "blocked"), Span(f"{what}; {way}"))], error=True)
        sys.exit(FAILED)

    def _lines(self, step: Question | Obstacle | Refused | Loss) -> list[Line]:
        width = self._terminal.width()
        if isinstance(step, Question):
            return list(drawn.question(step, self._rules, width))
        if isinstance(step, Obstacle):
            return list(drawn.obstacle(step, width))
        if isinstance(step, Refused):
            return list(drawn.refused(step, width))
        return list(drawn.loss(step, width))

    def _explain(self, step: Question | Obstacle | Loss) -> None:
        for key, meaning in KEYS[type(step)].items():
            self._terminal.show([(Span(f"  {key}  ", "code"), Span(meaning))])
        code = step.code if not isinstance(step, Obstacle) else _finding_code(step)
        if code in codemods.pages():
            self._terminal.page(codemods.page(code))

    def _put(self, step: Write | Restore) -> Problem | None:
        """Writes one file, or what it held before; the problem, if that failed."""
        outcome, path = step.outcome, step.outcome.target.path
        if outcome.after is None:
            return None
        after = outcome.after if isinstance(step, Write) else self._first[path]
        try:
            write_all([Change(path, self._held[path], after)])
        except (WriteFailed, OSError) as error:
            problem = Problem(outcome.name, f"could not be written: {error}")
            self._say(f"{problem.name} {problem.message}", "blocked")
            return problem
        self._held[path] = after
        done = "written" if isinstance(step, Write) else "put back as it was"
        self._say(f"{outcome.name}: {done}", "changed")
        return None

    def _look(self, outcome: Outcome, left_out: frozenset[str]) -> Outcome:
        """At what the file held, or holds where that is gone, without some rules."""
        options = self._choice.options_for(os.path.dirname(outcome.target.path))
        options = options._replace(ignore=options.ignore | left_out)
        try:
            data = outcome.source.data if outcome.source else self._read(outcome.target.path)
        except OSError as error:
            return Outcome(outcome.target, problem=Problem(outcome.name, reason(error)))
        return examine_bytes(outcome.target, data, options)

    def _read(self, path: str) -> bytes:
        """What a file holds after a person edited it."""
        self._first[path] = self._held[path] = read(path)
        return self._held[path]

    def _say(self, text: str, style: str) -> None:
        self._terminal.show([(Span(text, style),)])


def _prompt(step: Question | Obstacle | Loss) -> str:
    asked = {Question: "Apply it?", Obstacle: "Go on?", Loss: "Leave it out all the same?"}
    return f"{asked[type(step)]} [{','.join(KEYS[type(step)])}] "


def _finding_code(step: Obstacle) -> str:
    migration = step.outcome.migration
    return migration.blocked[step.at].code if migration is not None else ""
