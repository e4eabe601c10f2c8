"""A project that is refused for eleven reasons, taken through the walk: `examples/refused`.

What it makes there runs in step on two workers: tests/distributed/test_repairs.py.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pexpect
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distify.assistant import codemods
from distify.assistant.files.discovery import Target
from distify.assistant.files.examine import examine_bytes
from distify.assistant.files.outcome import Outcome
from distify.assistant.walk.dialogue import (
    BACK,
    NO,
    YES,
    Answer,
    Obstacle,
    Question,
    Restore,
    Step,
    Write,
)
from distify.assistant.walk.interview import Interview
from distify.codemods.model import Options

from ..conftest import Call
from .test_command import Person

REFUSED = Path(__file__).parents[3] / "examples" / "refused"
PROGRAMS = sorted(REFUSED.glob("*.py"))
REASONS = {"G02", "G03", "K04", "N01", "N03", "R01", "R02", "R08", "T02", "T07", "T08"}
ANSWERS = "answers.toml"
MOST = 200  # keys


def outcome(path: Path) -> Outcome:
    return examine_bytes(Target(path.name, str(path)), path.read_bytes(), Options())


def look(outcome: Outcome, left_out: frozenset[str], repairs: frozenset[str]) -> Outcome:
    assert outcome.source is not None
    options = Options(ignore=left_out, repair=repairs)
    return examine_bytes(outcome.target, outcome.source.data, options)


def answer(step: Step) -> Answer:
    """The first repair of what is in the way, and yes to all rules."""
    if isinstance(step, Obstacle):
        return "1" if step.repairs else YES
    return None if isinstance(step, (Write, Restore)) else YES


def reason(step: Obstacle) -> str:
    assert step.outcome.migration is not None
    return step.outcome.migration.blocked[step.at].code


def walk() -> list[Step]:
    talk = Interview([outcome(path) for path in PROGRAMS], list(codemods.changes()), look, None)
    steps, seen = talk.steps(), []
    step = next(steps, None)
    while step is not None:
        seen.append(step)
        try:
            step = steps.send(answer(step))
        except StopIteration:
            break
    return seen


def test_each_reason_is_taken_away_and_each_file_is_written() -> None:
    steps = walk()
    obstacles = [step for step in steps if isinstance(step, Obstacle)]
    assert set(map(reason, obstacles)) == REASONS
    assert len(REASONS) >= 10
    assert all(step.repairs for step in obstacles)
    written = {s.outcome.name: s.outcome.after for s in steps if isinstance(s, Write)}
    assert sorted(written) == [path.name for path in PROGRAMS]
    assert all(text is not None and b"hvd.init()" in text for text in written.values())


def drawn_walk(path: Path, numbers: list[int]) -> Outcome:
    """What becomes of a program by these answers; then by the first repairs, and yes."""
    left = iter(numbers)

    def drawn(step: Step) -> Answer:
        number = next(left, None)
        if number is None:
            return answer(step)
        if isinstance(step, Obstacle):
            choices = [YES, BACK, *map(str, range(1, len(step.repairs) + 1))]
            return choices[number % len(choices)]
        if isinstance(step, Question):
            return (YES, YES, YES, NO, BACK)[number % 5]
        return answer(step)

    talk = Interview([outcome(path)], list(codemods.changes()), look, None)
    steps = talk.steps()
    step = next(steps, None)
    while step is not None:
        try:
            step = steps.send(drawn(step))
        except StopIteration:
            break
    (ending,) = talk.outcomes
    return ending


def check_sound(path: Path, ending: Outcome) -> None:
    """What is written lacks nothing; else the file is as it was."""
    if ending.after is None:
        assert ending.blocked or ending.skipped
        return
    again = examine_bytes(Target(path.name, str(path)), ending.after, Options())
    assert again.problem is None
    assert not again.blocked
    assert again.migration is not None
    assert not [note.code for note in again.migration.notes if note.severity == "error"]


NUMBERS = st.lists(st.integers(0, 59), max_size=14)


@settings(max_examples=6, deadline=None)
@given(numbers=NUMBERS)
def test_no_drawn_answers_and_choices_are_unsound(numbers: list[int]) -> None:
    path = REFUSED / "twice.py"
    check_sound(path, drawn_walk(path, numbers))


@pytest.mark.slow
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
@settings(max_examples=15, deadline=None)
@given(numbers=NUMBERS)
def test_no_drawn_answers_to_any_program_are_unsound(path: Path, numbers: list[int]) -> None:
    check_sound(path, drawn_walk(path, numbers))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The programs alone, for somebody who hasn't begun."""
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    folder = tmp_path / "refused"
    folder.mkdir()
    for path in PROGRAMS:
        shutil.copy(path, folder)
    return folder


def texts(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.py"))}


def played_back(folder: Path, call: Call) -> dict[str, bytes]:
    """What the recorded session makes of the programs, without a terminal."""
    shutil.copy(REFUSED / ANSWERS, folder)
    done = call("migrate", "-i", "--answers", f"{folder}/{ANSWERS}", str(folder))
    assert done.exit_code == 0, done.output
    return texts(folder)


@pytest.mark.slow
def test_the_recorded_session_makes_the_same(project: Path, call: Call) -> None:
    written = {s.outcome.name: s.outcome.after for s in walk() if isinstance(s, Write)}
    assert played_back(project, call) == written


@pytest.mark.slow
def test_a_person_at_a_terminal_makes_the_same_and_records_it(project: Path, call: Call) -> None:
    session = (REFUSED / ANSWERS).read_text(encoding="utf-8")
    options = ("--answers", f"{project}/{ANSWERS}", str(project))
    person = Person(project.parent, *options, columns=100)
    for _ in range(MOST):
        try:
            person.wait()
        except pexpect.EOF:
            person.seen += person.program.before or ""
            break
        choices = re.findall(r"[1-9]", person.program.after)
        person.program.send(min(choices, default="y"))
    person.program.close()
    assert person.program.exitstatus == 0, person.seen
    assert (project / ANSWERS).read_text(encoding="utf-8") == session
    seen = re.sub(r"\x1b\[[0-9;]*m", "", person.seen)
    assert set(re.findall(r"blocked ([A-Z]\d\d)", seen)) == REASONS
    made = texts(project)
    for path in PROGRAMS:
        shutil.copy(path, project)
    assert made == played_back(project, call)
