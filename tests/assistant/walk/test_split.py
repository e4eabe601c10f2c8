"""A rule taken in part: its hunks, the text that some of them make, what the walk makes of it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from distify.assistant.walk.answers import Answers
from distify.assistant.walk.dialogue import (
    ALL,
    SPLIT,
    YES,
    Answer,
    Edited,
    Question,
    Refused,
    Step,
    Write,
)
from distify.assistant.walk.interview import Interview
from distify.assistant.walk.keys import keys_of
from distify.assistant.walk.split import hunks, with_some

from .test_interview import FIT, TAPE, interview, walk

PRINTS = FIT.replace("model.fit(", 'print("begun")\nmodel.fit(')
LINES = ["a\n", "b\r\n", "\x0cc\n", "d\n", "e"]


def test_no_hunk_is_the_text_before_and_all_of_them_the_text_after() -> None:
    numbers = random.Random(1)
    for _ in range(300):
        before, after = ("".join(numbers.choices(LINES, k=6)) for _ in range(2))
        found = hunks(before, after)
        assert with_some(before, after, ()) == before
        assert with_some(before, after, range(len(found))) == after
        for number, hunk in enumerate(found):
            one = with_some(before, after, {number})
            assert [(h.before, h.after) for h in hunks(before, one)] or hunk.before == hunk.after


def question(talk: Interview, code: str) -> Question:
    return next(s for s in walk(talk, yes) if isinstance(s, Question) and s.code == code)


def yes(step: Step) -> Answer:
    return None if isinstance(step, Write) else YES


def part(code: str) -> object:
    """Takes the first hunk of this rule, and all others as they come."""

    def given(step: Step) -> Answer:
        if isinstance(step, Question) and step.code == code:
            return Edited(with_some(step.before, step.after, {0}), is_part=True)
        return yes(step)

    return given


def test_a_rule_of_one_hunk_is_not_split() -> None:
    assert SPLIT not in keys_of(question(interview(FIT), "D101"))
    asked = question(interview(PRINTS), "D203")
    assert len(hunks(asked.before, asked.after)) == 2
    assert SPLIT in keys_of(asked)


@pytest.mark.parametrize("is_played_back", [False, True])
def test_what_is_taken_of_a_rule_is_written_and_the_rest_not_asked_again(
    tmp_path: Path, is_played_back: bool
) -> None:
    path = str(tmp_path / "answers.toml")
    talk = interview(PRINTS, recorded=Answers(path))
    steps = walk(talk, part("D203"))  # type: ignore[arg-type]
    assert [s.code for s in steps if isinstance(s, Question)].count("D203") == 1
    if is_played_back:
        talk = interview(PRINTS, recorded=Answers(path))
        steps = walk(talk, lambda step: None)
        assert [type(step) for step in steps] == [Write]
    (written,) = (step for step in steps if isinstance(step, Write))
    text = (written.outcome.after or b"").decode()
    assert '    print("begun")\n' in text
    assert '\nprint("done")\n' in text
    (tally,) = talk.tallies
    assert dict(tally.counts)["edited or taken in part"] == ("D203",)


def test_a_part_without_which_the_rest_is_wrong_is_refused() -> None:
    asked = question(interview(TAPE), "D202")
    assert len(hunks(asked.before, asked.after)) >= 2
    seen = 0

    def given(step: Step) -> Answer:
        nonlocal seen
        seen += isinstance(step, Question) and step.code == "D202"
        return part("D202")(step) if seen == 1 else yes(step)  # type: ignore[operator]

    steps = walk(interview(TAPE), given)
    assert [step for step in steps if isinstance(step, Refused)]


def test_all_of_a_file_leaves_the_others_to_be_asked_about() -> None:
    talk = interview(FIT, TAPE)
    names = [
        step.outcome.name
        for step in walk(talk, lambda s: ALL if isinstance(s, Question) else None)
        if isinstance(step, Question)
    ]
    assert len(names) == len(set(names)) == 2
    assert all("applied" in dict(tally.counts) for tally in talk.tallies)
