"""What a person makes on the walk is judged as a whole, from what the file held."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from distify.assistant import codemods
from distify.assistant.files.choice import Choice
from distify.assistant.files.result import look
from distify.assistant.report.terminal import Terminal
from distify.assistant.walk.dialogue import (
    NO,
    YES,
    Answer,
    Edited,
    Obstacle,
    Question,
    Refused,
    Step,
    Write,
)
from distify.assistant.walk.disk import Disk
from distify.assistant.walk.interview import Interview
from distify.assistant.walk.joined import joined
from distify.assistant.walk.looks import Looks
from distify.assistant.walk.suppression import commented
from distify.codemods.judge.case import Case
from distify.codemods.judge.proof import Proof

from .conftest import Oblige, refuse_words
from .test_taking_on import TRAIN, no_fit


class Walk:
    """A walk over `train.py`, by the looks of the command."""

    def __init__(self) -> None:
        result = look(["train.py"], Choice((), ()), Terminal("never"))
        self.disk = Disk(result.outcomes)
        self.looks = Looks(Choice((), ()), self.disk, result.seen)
        units = joined(result.outcomes)
        self.talk = Interview(units, [*codemods.changes()], self.looks, None, self.looks.units)
        self.refused: list[str] = []

    def go(self, answers: dict[str, Answer]) -> None:
        """All is answered by YES but these rules, each once; what is written is written."""
        steps = self.talk.steps()
        step = next(steps, None)
        while step is not None:
            try:
                step = steps.send(self._answer(step, answers))
            except StopIteration:
                return

    def _answer(self, step: Step, answers: dict[str, Answer]) -> Answer:
        if isinstance(step, Write):
            return self.disk.put(step)
        if isinstance(step, Refused):
            self.refused += step.reasons
            return YES
        return answers.pop(step.code, YES) if isinstance(step, Question) else YES


@pytest.fixture
def train(here: Path) -> Path:
    path = here / "train.py"
    path.write_text(TRAIN)
    return path


def made(code: str, **options: str) -> str:
    """What the file is with a rule and those before it."""
    (outcome,) = look(["train.py"], Choice((), ()), Terminal("never")).outcomes
    assert outcome.migration is not None
    return next(step.text for step in outcome.migration.steps if step.code == code)


LAST = "D302"  # of this file: behind it no rule makes anything


@pytest.mark.parametrize("code", ["D101", "D104", LAST])
def test_an_edit_that_is_wrong_is_refused(code: str, train: Path, oblige: Oblige) -> None:
    oblige(refuse_words("os.environ"))
    walk = Walk()
    walk.go({code: Edited(made(code) + "import os\nprint(os.environ)\n")})
    assert any("os.environ stands here" in each for each in walk.refused)
    assert "hvd" in train.read_text()  # the rule was taken as it is
    assert "os.environ" not in train.read_text()


@pytest.mark.parametrize("code", ["D101", "D104", LAST])
def test_an_edit_that_is_right_is_written(code: str, train: Path, oblige: Oblige) -> None:
    oblige(refuse_words("os.environ"))
    walk = Walk()
    walk.go({code: Edited(made(code) + "print(1)\n")})
    assert walk.refused == []
    assert "DistributedOptimizer" in train.read_text()
    assert train.read_text().count("print(1)") == 1


def test_it_is_compared_with_what_the_file_held(train: Path, oblige: Oblige) -> None:
    """The rules behind an edit take it for the original: that one was judged by nobody."""

    def prove(case: Case) -> Iterable[Proof]:
        for path, source in case.before.items():
            if source.text == TRAIN and "0.3" in case.after[path].text:
                yield case.violated("nothing", case.after[path].module.body[0], "another rate")

    oblige(prove)
    text = made("D101").replace("0.1", "0.3")
    walk = Walk()
    walk.go({"D101": Edited(text)})
    assert any("another rate" in each for each in walk.refused)
    assert "0.3" not in train.read_text()
    train.write_text(TRAIN)
    text = text.replace("as hvd\n", "as hvd  # distify: accept[nothing] mine\n")
    walk = Walk()
    walk.go({"D101": Edited(text)})
    assert walk.refused == []
    assert "0.3" in train.read_text()


def test_without_a_rule_the_rest_is_judged(train: Path, oblige: Oblige) -> None:
    train.write_text(TRAIN + 'print("done")\n')
    oblige(lambda case: [*refuse_words('\nprint("done")', "hvd")(case)])
    walk = Walk()
    walk.go({"D203": NO})
    assert "hvd" not in train.read_text()


def test_what_is_not_proved_is_accepted_by_name(train: Path, oblige: Oblige) -> None:
    oblige(no_fit)
    walk = Walk()
    step = next(walk.talk.steps())
    assert isinstance(step, Obstacle)
    text = commented(step, "I have looked", walk.looks).decode()
    assert "epochs=1)  # distify: accept[nothing] I have looked\n" in text
