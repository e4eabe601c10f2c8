"""The walk without a terminal: answers go in, steps come out; no subset is unsound."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from distify.assistant import codemods
from distify.assistant.files.discovery import Target
from distify.assistant.files.examine import examine_bytes
from distify.assistant.files.outcome import Outcome
from distify.assistant.files.reader import Problem
from distify.assistant.walk.dialogue import (
    BACK,
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
from distify.assistant.walk.interview import DECLINED, Interview
from distify.assistant.walk.recorded import Recorded
from distify.assistant.walk.state import UNANSWERED
from distify.codemods.model import Options

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
FIT = """import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer=tf.keras.optimizers.SGD(0.1), loss="mse")
model.fit(tf.random.normal((8, 4)), tf.random.normal((8, 1)))
print("done")
"""
TAPE = """import tensorflow as tf

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
for step in range(30):
    with tf.GradientTape() as tape:
        loss = (w - 2.0) ** 2
    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
    print(step)
open("w.txt", "w").write(str(w.numpy()))
"""
BLOCKED = """import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
model.fit(tf.random.normal((8, 4)), tf.random.normal((8, 1)))
"""
Given = Callable[[Step], Answer]


NONE: frozenset[str] = frozenset()


def look(outcome: Outcome, left_out: frozenset[str], repairs: frozenset[str] = NONE) -> Outcome:
    assert outcome.source is not None
    options = Options(ignore=left_out, repair=repairs)
    return examine_bytes(outcome.target, outcome.source.data, options)


def outcome(name: str, text: str) -> Outcome:
    return examine_bytes(Target(name, f"/{name}"), text.encode(), Options())


def interview(*texts: str, recorded: Recorded | None = None) -> Interview:
    outcomes = [outcome(f"{chr(97 + at)}.py", text) for at, text in enumerate(texts)]
    return Interview(outcomes, list(codemods.rules()), look, recorded)


def walk(talk: Interview, given: Given) -> list[Step]:
    """All steps, with these answers."""
    steps, seen = talk.steps(), []
    step = next(steps, None)
    while step is not None:
        seen.append(step)
        assert len(seen) < 1_000, "the walk never ends"
        try:
            step = steps.send(given(step))
        except StopIteration:
            break
    return seen


def script(*answers: Answer) -> Given:
    """These answers, one after the other, to what is asked; all is well with what is written."""
    left = list(answers)
    return lambda step: None if isinstance(step, (Write, Restore)) else left.pop(0)


def yes(step: Step) -> Answer:
    return None if isinstance(step, (Write, Restore)) else YES


def codes(steps: Sequence[Step]) -> list[str]:
    return [f"{s.outcome.name} {s.code}" for s in steps if isinstance(s, Question)]


def kinds(steps: Sequence[Step]) -> list[type]:
    return [type(step) for step in steps]


def result(text: str) -> bytes:
    after = outcome("a.py", text).after
    assert after is not None
    return after


def test_yes_to_all_is_what_migrate_writes() -> None:
    talk = interview(FIT, TAPE)
    written = {s.outcome.name: s.outcome.after for s in walk(talk, yes) if isinstance(s, Write)}
    assert written == {"a.py": result(FIT), "b.py": result(TAPE)}


def test_rules_are_asked_about_in_order_each_file_by_file() -> None:
    asked = codes(walk(interview(FIT, TAPE), yes))
    assert asked == sorted(asked, key=lambda each: each.split()[::-1])
    assert asked[:2] == ["a.py D101", "b.py D101"]


def test_each_question_shows_what_its_rule_changes_and_nothing_else() -> None:
    asked = [step for step in walk(interview(FIT), yes) if isinstance(step, Question)]
    assert asked[0].before == FIT
    assert [q.after for q in asked[:-1]] == [q.before for q in asked[1:]]
    assert asked[-1].after.encode() == result(FIT)
    assert [q.number for q in asked] == list(range(1, len(asked) + 1))


def test_all_of_a_rule_asks_no_more_about_it() -> None:
    steps = walk(interview(FIT, TAPE), lambda s: EVERYWHERE if isinstance(s, Question) else None)
    asked = [code.split()[1] for code in codes(steps)]
    assert asked == sorted(set(asked))
    assert kinds(steps).count(Write) == 2


@pytest.mark.parametrize("text", [FIT, TAPE], ids=["fit", "tape"])
@pytest.mark.parametrize("count", [0, 1, pytest.param(2, marks=pytest.mark.slow)])
def test_no_subset_of_answers_is_unsound(text: str, count: int) -> None:
    """What is written lacks nothing that is needed; what isn't is as it was."""
    due = [step.code for step in outcome("a.py", text).migration.steps]  # type: ignore[union-attr]
    endings = [_ending(text, left_out) for left_out in itertools.combinations(due, count)]
    written = [ending for ending in endings if ending is not None]
    # Of two rules one is always needed.
    assert len(written) == {0: 1, 1: int(text == FIT), 2: 0}[count]


@pytest.mark.slow
def test_no_other_subset_is_unsound() -> None:
    due = [step.code for step in outcome("a.py", FIT).migration.steps]  # type: ignore[union-attr]
    for count in range(3, len(due) + 1):
        for left_out in itertools.combinations(due, count):
            assert _ending(FIT, left_out) is None


def _ending(text: str, left_out: Sequence[str]) -> bytes | None:
    """What is written where these rules are left out, after it was looked at again."""
    talk = interview(text)
    walk(talk, _without(left_out))
    (ending,) = talk.outcomes
    if ending.after is None:
        assert ending.skipped == DECLINED
        return None
    again = outcome("a.py", ending.after.decode())
    assert not again.blocked
    assert again.problem is None
    assert {step.code for step in again.migration.steps} <= set(left_out)  # type: ignore[union-attr]
    return ending.after


def _without(left_out: Sequence[str]) -> Given:
    def given(step: Step) -> Answer:
        if isinstance(step, Question):
            return NO if step.code in left_out else YES
        return yes(step)

    return given


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_no_random_answers_to_an_example_are_unsound(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    chance = random.Random(path.stem)
    talk = interview(text)
    walk(
        talk,
        lambda s: chance.choice([YES, YES, YES, NO, BACK]) if isinstance(s, Question) else yes(s),
    )
    (ending,) = talk.outcomes
    if ending.after is not None and ending.migration is not None:
        again = outcome("a.py", ending.after.decode())
        assert not again.blocked
        assert again.problem is None


def test_what_falls_away_is_said_first() -> None:
    (loss,) = [s for s in walk(interview(FIT), _without(["D302"])) if isinstance(s, Loss)]
    assert loss.code == "D302"
    assert "nothing brings the workers to the same start" in loss.reasons[0]
    talk = interview(FIT)
    walk(talk, _without(["D302"]))
    assert [(o.after, o.skipped) for o in talk.outcomes] == [(None, DECLINED)]


def test_who_thinks_better_of_it_is_asked_again() -> None:
    answers = [YES, YES, NO, NO, *[YES] * 9]
    steps = walk(interview(FIT), script(*answers))
    assert codes(steps).count("a.py D104") == 2
    assert isinstance(steps[-1], Write)
    assert steps[-1].outcome.after == result(FIT)


def test_a_matter_of_taste_takes_nothing_along() -> None:
    steps = walk(interview(FIT), _without(["D203"]))
    assert Loss not in kinds(steps)
    assert b'\nprint("done")\n' in (steps[-1].outcome.after or b"")


def test_done_with_a_file_leaves_the_other_one() -> None:
    answers: list[Answer] = [DONE, YES, *[YES] * 20]
    talk = interview(FIT, TAPE)
    steps = walk(talk, script(*answers))
    assert [name for name in codes(steps) if name.startswith("a.py")] == ["a.py D101"]
    assert [o.after for o in talk.outcomes] == [None, result(TAPE)]


def test_back_asks_the_last_question_again() -> None:
    steps = walk(interview(FIT), script(BACK, YES, YES, BACK, BACK, *[YES] * 20))
    assert codes(steps)[:6] == [
        f"a.py D10{n}" for n in (1, 1, 2, 4, 2, 1)
    ]  # the first time there is nothing to go back to


def test_back_to_a_written_file_puts_it_back() -> None:
    count = len(outcome("a.py", FIT).migration.steps)  # type: ignore[union-attr]
    talk = interview(FIT, FIT)
    # The last question about a.py comes just before the one about b.py, where it is said: back.
    steps = walk(talk, script(*[YES] * (2 * count - 1), BACK, NO, YES, YES))
    assert kinds(steps)[-7:] == [Write, Question, Restore, Question, Loss, Question, Write]
    assert [o.after for o in talk.outcomes] == [None, result(FIT)]


def test_back_stays_where_a_written_file_can_t_be_put_back() -> None:
    count = len(outcome("a.py", FIT).migration.steps)  # type: ignore[union-attr]
    talk, asked = interview(FIT, FIT), [*[YES] * (2 * count - 1), BACK, YES]

    def given(step: Step) -> Answer:
        if isinstance(step, Restore):
            return Problem("a.py", "was changed by someone else")
        return None if isinstance(step, Write) else asked.pop(0)

    steps = walk(talk, given)
    assert kinds(steps)[-5:] == [Write, Question, Restore, Question, Write]
    assert not asked
    assert [o.after for o in talk.outcomes] == [result(FIT)] * 2


def test_what_was_put_back_before_another_failed_is_written_again() -> None:
    """With all of the last rule two files are written; to go back takes both of them back."""
    more = FIT.replace("print(", "model.evaluate(tf.ones((8, 4)), tf.ones((8, 1)))\nprint(")
    talk = interview(FIT, FIT, more)
    later: list[Answer] = [BACK, QUIT]

    def given(step: Step) -> Answer:
        if isinstance(step, Restore) and step.outcome.name == "b.py":
            return Problem("b.py", "was changed by someone else")
        if isinstance(step, (Write, Restore)):
            return None
        if isinstance(step, Question) and step.code == "D303":
            return later.pop(0)
        return EVERYWHERE

    steps = [s for s in walk(talk, given) if isinstance(s, (Write, Restore))]
    told = [f"{type(s).__name__} {s.outcome.name}" for s in steps]
    assert told == ["Write a.py", "Write b.py", "Restore a.py", "Restore b.py", "Write a.py"]
    assert [o.after for o in talk.outcomes][:2] == [result(FIT)] * 2


def test_back_leaves_alone_what_could_not_be_written() -> None:
    count = len(outcome("a.py", FIT).migration.steps)  # type: ignore[union-attr]
    talk, asked = interview(FIT, FIT), [*[YES] * (2 * count - 1), BACK, QUIT]

    def given(step: Step) -> Answer:
        if isinstance(step, Write):
            return Problem("a.py", "is read-only")
        return asked.pop(0)

    assert Restore not in kinds(walk(talk, given))
    assert not asked


def test_quitting_keeps_what_was_written_and_touches_nothing_else() -> None:
    count = len(outcome("a.py", FIT).migration.steps)  # type: ignore[union-attr]
    talk = interview(FIT, FIT)
    steps = walk(talk, script(*[YES] * (2 * count - 1), QUIT))
    assert kinds(steps).count(Write) == 1
    assert [(o.after, o.skipped) for o in talk.outcomes] == [
        (result(FIT), ""),
        (None, UNANSWERED),
    ]


def test_what_is_in_the_way_comes_first() -> None:
    talk = interview(BLOCKED, FIT)
    steps = walk(talk, yes)
    assert kinds(steps)[:2] == [Obstacle, Question]
    assert talk.outcomes[0].blocked
    assert talk.outcomes[1].after == result(FIT)


def test_a_file_that_was_edited_is_looked_at_again() -> None:
    def look_again(
        seen: Outcome, left_out: frozenset[str], repairs: frozenset[str] = NONE
    ) -> Outcome:
        return look(seen, left_out) if seen.source else outcome("a.py", FIT)

    talk = Interview([outcome("a.py", BLOCKED)], list(codemods.rules()), look_again)
    steps = walk(talk, lambda s: EDIT if isinstance(s, Obstacle) else yes(s))
    assert kinds(steps).count(Obstacle) == 1
    assert talk.outcomes[0].after == result(FIT)


def test_back_takes_a_comment_out_of_the_file() -> None:
    blocked = outcome("a.py", BLOCKED)

    def look_again(
        seen: Outcome, left_out: frozenset[str], repairs: frozenset[str] = NONE
    ) -> Outcome:
        return look(seen, left_out) if seen.source else outcome("a.py", BLOCKED + "# taken\n")

    talk = Interview([blocked], list(codemods.rules()), look_again)
    steps = walk(talk, script(SUPPRESS, BACK, None, QUIT))
    assert kinds(steps) == [Obstacle, Obstacle, Uncomment, Obstacle]
    assert steps[2].outcome == blocked
    assert talk.outcomes == [blocked]


def test_a_comment_that_can_t_be_taken_out_stays_what_was_answered() -> None:
    talk = interview(BLOCKED)
    talk = Interview(talk.outcomes, list(codemods.rules()), lambda *_, **__: outcome("a.py", FIT))
    problem = Problem("a.py", "could not be written: no")
    steps = walk(talk, script(SUPPRESS, BACK, problem, QUIT))
    assert kinds(steps) == [Obstacle, Question, Uncomment, Question]


def test_back_does_not_undo_what_a_person_made_of_a_file_by_hand() -> None:
    talk = Interview(
        [outcome("a.py", BLOCKED)],
        list(codemods.rules()),
        lambda *_, **__: outcome("a.py", FIT),
    )
    steps = walk(talk, script(EDIT, BACK, YES, BACK, QUIT))
    assert kinds(steps) == [Obstacle, *[Question] * 4]
    assert codes(steps) == ["a.py D101", "a.py D101", "a.py D102", "a.py D101"]


def test_an_edited_text_is_gone_on_with() -> None:
    def given(step: Step) -> Answer:
        if isinstance(step, Question) and step.code == "D104" and "SGD(0.1 *" in step.after:
            return Edited(step.after.replace("0.1 * hvd.size()", "0.1 * hvd.size() ** 0.5"))
        return yes(step)

    talk = interview(FIT)
    walk(talk, given)
    (ending,) = talk.outcomes
    assert b"SGD(0.1 * hvd.size() ** 0.5)" in (ending.after or b"")
    assert b"DistributedOptimizer" in (ending.after or b"")
    assert not outcome("a.py", (ending.after or b"").decode()).changed
    assert ending.migration is not None
    # The edited text is Horovod by half until the rules are done.
    assert "P02" not in {note.code for note in ending.migration.notes}


@pytest.mark.parametrize(
    ("text", "why"),
    [("x = (\n", "parsed"), (BLOCKED, "tf.distribute"), ("x = '\ud800'\n", "written")],
    ids=["no program", "blocked", "no text"],
)
def test_an_edited_text_that_is_blocked_is_refused(text: str, why: str) -> None:
    first: list[Answer] = [Edited(text), None]
    talk = interview(FIT)
    steps = walk(talk, lambda s: first.pop(0) if first else yes(s))
    (refused,) = [step for step in steps if isinstance(step, Refused)]
    assert why in " ".join(refused.reasons)
    assert codes(steps)[:2] == ["a.py D101"] * 2
    assert talk.outcomes[0].after == result(FIT)


def test_a_file_that_can_t_be_written_keeps_no_other_from_it() -> None:
    def given(step: Step) -> Answer:
        if isinstance(step, Write) and step.outcome.name == "a.py":
            return Problem("a.py", "could not be written")
        return yes(step)

    talk = interview(FIT, FIT)
    walk(talk, given)
    assert [o.problem is None for o in talk.outcomes] == [False, True]


class Kept(Recorded):
    """Answers in a list."""

    def __init__(self) -> None:
        self.given: dict[tuple[str, str], str | Edited] = {}

    def answer(self, question: Question) -> str | Edited | None:
        return self.given.get((question.code, question.content))

    def record(self, question: Question, answer: str | Edited) -> None:
        self.given[question.code, question.content] = answer

    def forget(self, question: Question) -> None:
        self.given.pop((question.code, question.content), None)


def test_a_walk_goes_on_where_it_was_left_also_when_lines_have_moved() -> None:
    kept = Kept()
    walk(interview(FIT, recorded=kept), script(YES, YES, YES, QUIT))
    moved = FIT.replace("model = ", "# a comment\n\nmodel = ")
    asked = codes(walk(interview(moved, recorded=kept), yes))
    assert "a.py D104" not in asked
    assert asked[-1] == "a.py D302"


def test_what_changes_otherwise_now_is_asked_again() -> None:
    kept = Kept()
    walk(interview(FIT, recorded=kept), yes)
    asked = codes(walk(interview(FIT.replace("0.1", "0.2"), recorded=kept), yes))
    assert "a.py D104" in asked
    assert "a.py D101" not in asked


def test_an_edited_text_is_played_back() -> None:
    def given(step: Step) -> Answer:
        if isinstance(step, Question) and step.code == "D101":
            return Edited(step.after.replace("0.1", "0.3"))
        return yes(step)

    kept = Kept()
    first, second = interview(FIT, recorded=kept), interview(FIT, recorded=kept)
    walk(first, lambda s: given(s) if not kept.given else yes(s))
    assert codes(walk(second, yes)) == []
    assert [o.after for o in second.outcomes] == [o.after for o in first.outcomes]
    assert b"SGD(0.3 *" in (second.outcomes[0].after or b"")


def test_a_recorded_text_that_is_refused_now_is_asked_about_and_stays_recorded() -> None:
    kept = Kept()
    (first,) = (s for s in walk(interview(FIT), script(YES, *[YES] * 9))[:1])
    assert isinstance(first, Question)
    kept.given[first.code, first.content] = Edited("x = (\n")
    talk = interview(FIT, recorded=kept)
    asked = codes(walk(talk, lambda s: QUIT if isinstance(s, Question) else yes(s)))
    assert asked == ["a.py D101"]
    assert kept.given[first.code, first.content] == Edited("x = (\n")


def test_going_back_forgets_what_was_answered_since() -> None:
    kept = Kept()
    walk(interview(FIT, recorded=kept), script(EVERYWHERE, YES, BACK, QUIT))
    assert [code for code, _ in kept.given] == ["D101"]


def edited_at(code: str, old: str, new: str) -> Callable[[Step], Answer]:
    """Yes to all, and an edit of what one rule makes, once."""

    def given(step: Step) -> Answer:
        is_there = isinstance(step, Question) and step.code == code and old in step.after
        return Edited(step.after.replace(old, new)) if is_there else yes(step)  # type: ignore[union-attr]

    return given


def steps_of(talk: Interview) -> list[tuple[str, str]]:
    (ending,) = talk.outcomes
    assert ending.migration is not None
    return [(step.code, step.text) for step in ending.migration.steps]


def test_an_edited_text_belongs_to_its_rule() -> None:
    plain, talk = interview(FIT), interview(FIT)
    walk(plain, yes)
    walk(talk, edited_at("D104", "0.1 * hvd.size()", "0.1 * hvd.size() ** 0.5"))
    (ending,) = talk.outcomes
    made, usual = steps_of(talk), steps_of(plain)
    assert ending.source is not None
    assert ending.source.text == FIT
    assert [code for code, _ in made] == [code for code, _ in usual]
    root = "hvd.size() ** 0.5"
    assert [root in text for _, text in made] == [code >= "D104" for code, _ in made]
    assert made[:2] == usual[:2]
    assert ending.source.encode(made[-1][1]) == ending.after


def test_what_an_earlier_rule_does_again_belongs_to_the_edited_one() -> None:
    talk = interview(FIT)
    walk(talk, edited_at("D104", "hvd.init()\n", ""))
    made = dict(steps_of(talk))
    assert "hvd.init()" in made["D102"]
    assert "hvd.init()" in made["D104"]
    assert [code for code, _ in steps_of(talk)] == sorted(made)
    assert (talk.outcomes[0].after or b"").split() == result(FIT).split()


def test_a_rule_that_an_edit_takes_back_is_no_step() -> None:
    talk, first = interview(FIT), [True]

    def given(step: Step) -> Answer:
        if isinstance(step, Question) and step.code == "D203":
            return Edited(step.before) if first and first.pop() else NO
        return yes(step)

    walk(talk, given)
    assert [code for code, _ in steps_of(talk)] == ["D101", "D102", "D104", "D301", "D302"]
    assert b'\nprint("done")\n' in (talk.outcomes[0].after or b"")


def test_a_second_edit_goes_on_from_the_first() -> None:
    rate = edited_at("D104", "0.1 * hvd.size()", "0.1 * hvd.size() ** 0.5")
    talk = interview(FIT)

    def both(step: Step) -> Answer:
        if isinstance(step, Question) and step.code == "D302" and "# note" not in step.after:
            return Edited(step.after + "# note\n")
        return rate(step)

    walk(talk, both)
    made = steps_of(talk)
    assert [text.count("# note") for _, text in made] == [0] * (len(made) - 1) + [1]
    assert made[-1][0] == "D302"
