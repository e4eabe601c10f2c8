"""Repairs in the walk: a choice where something is in the way, kept, taken back, played back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from distify.assistant import codemods
from distify.assistant.files.discovery import Target
from distify.assistant.files.examine import examine_bytes
from distify.assistant.files.outcome import Outcome
from distify.assistant.walk.answers import Answers
from distify.assistant.walk.dialogue import (
    BACK,
    NO,
    YES,
    Answer,
    Loss,
    Obstacle,
    Question,
    Restore,
    Step,
    Write,
)
from distify.assistant.walk.interview import Interview
from distify.assistant.walk.recorded import Recorded
from distify.codemods.migrate import migrate
from distify.codemods.model import Options

INNER = """def main():
    import tensorflow as tf
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse", jit_compile=True)
    model.fit(tf.random.normal((8, 4)), tf.random.normal((8, 1)))


main()
"""
BOTH = frozenset({"A01", "A04"})


NONE: frozenset[str] = frozenset()


def look(outcome: Outcome, left_out: frozenset[str], repairs: frozenset[str] = NONE) -> Outcome:
    assert outcome.source is not None
    options = Options(ignore=left_out, repair=repairs)
    return examine_bytes(outcome.target, outcome.source.data, options)


def outcome(text: str) -> Outcome:
    return examine_bytes(Target("a.py", "/a.py"), text.encode(), Options())


def interview(text: str, recorded: Recorded | None = None) -> Interview:
    return Interview([outcome(text)], list(codemods.changes()), look, recorded)


def walk(talk: Interview, given: Callable[[Step], Answer]) -> list[Step]:
    """All steps, with these answers."""
    steps, seen = talk.steps(), []
    step = next(steps, None)
    while step is not None:
        seen.append(step)
        try:
            step = steps.send(given(step))
        except StopIteration:
            break
    return seen


def yes(step: Step) -> Answer:
    return None if isinstance(step, (Write, Restore)) else YES


def first(step: Step) -> Answer:
    """The first repair of what is in the way, and yes to all rules."""
    return "1" if isinstance(step, Obstacle) else yes(step)


def repaired(*codes: str) -> str:
    return migrate(INNER, Options(repair=frozenset(codes))).after


def test_each_reason_is_repaired_and_the_rules_are_asked_about_then() -> None:
    steps = walk(interview(INNER), first)
    obstacles = [step for step in steps if isinstance(step, Obstacle)]
    assert [[offer.code for offer in step.repairs] for step in obstacles] == [["A01"], ["A04"]]
    asked = [step.code for step in steps if isinstance(step, Question)]
    assert asked
    assert not BOTH & set(asked)
    (written,) = (step for step in steps if isinstance(step, Write))
    assert written.outcome.after == repaired(*BOTH).encode()
    assert written.outcome.migration is not None
    assert [step.code for step in written.outcome.migration.steps][:2] == sorted(BOTH)


def test_one_repair_of_two_leaves_the_file_as_it_was() -> None:
    chosen = iter(["1", YES])
    steps = walk(interview(INNER), lambda s: next(chosen) if isinstance(s, Obstacle) else yes(s))
    assert not [step for step in steps if isinstance(step, (Write, Question))]


def test_a_choice_is_taken_back() -> None:
    talk, answers = interview(INNER), iter(["1", BACK, YES, YES])
    seen = walk(talk, lambda step: next(answers))
    assert [type(step) for step in seen] == [Obstacle] * 4
    assert seen[0] == seen[2]
    assert talk.outcomes[0].blocked


def test_a_choice_is_recorded_and_played_back(tmp_path: Path) -> None:
    path = str(tmp_path / "answers.toml")
    walk(interview(INNER, recorded=Answers(path)), first)
    text = (tmp_path / "answers.toml").read_text()
    assert text.count('rule = "A01"') == text.count('rule = "A04"') == 1
    steps = walk(interview(INNER, recorded=Answers(path)), lambda step: None)
    assert [type(step) for step in steps] == [Write]


def test_a_repair_of_another_change_is_asked_again(tmp_path: Path) -> None:
    path = str(tmp_path / "answers.toml")
    walk(interview(INNER, recorded=Answers(path)), first)
    other = INNER.replace("as tf", "as flow").replace("tf.", "flow.")
    steps = walk(interview(other, recorded=Answers(path)), first)
    assert isinstance(steps[0], Obstacle)


@pytest.mark.parametrize("answer", [YES, NO])
def test_repairs_of_the_settings_are_asked_about_like_rules(answer: str) -> None:
    def looked(seen: Outcome, left_out: frozenset[str], repairs: frozenset[str] = NONE) -> Outcome:
        return look(seen, left_out - BOTH, (repairs | BOTH) - left_out)

    begun = looked(outcome(INNER), frozenset())
    talk = Interview([begun], list(codemods.changes()), looked)
    steps = walk(talk, lambda s: answer if isinstance(s, Question) and s.code == "A01" else yes(s))
    assert [s.code for s in steps if isinstance(s, Question)][:1] == ["A01"]
    losses = [step for step in steps if isinstance(step, Loss)]
    assert bool(losses) == (answer == NO)
    assert bool([step for step in steps if isinstance(step, Write)]) == (answer == YES)
