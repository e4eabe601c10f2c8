"""The walk over entries with modules that they import: what changes together is one question."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from distify.assistant import codemods
from distify.assistant.files import projects
from distify.assistant.files.choice import Choice
from distify.assistant.files.discovery import Target
from distify.assistant.files.examine import examine_bytes
from distify.assistant.files.outcome import Outcome
from distify.assistant.files.reader import Problem
from distify.assistant.files.result import Result, look
from distify.assistant.report import walk as drawn
from distify.assistant.report.terminal import Terminal
from distify.assistant.walk import interview, trial
from distify.assistant.walk.dialogue import (
    BACK,
    DONE,
    EDIT,
    NO,
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
from distify.assistant.walk.disk import Disk
from distify.assistant.walk.interview import DECLINED, Interview
from distify.assistant.walk.joined import Joined, joined
from distify.assistant.walk.keys import keys_of
from distify.assistant.walk.recorded import Recorded
from distify.assistant.walk.state import UNANSWERED
from distify.codemods.model import Options

from ..conftest import Call
from .test_command import Person
from .test_interview import FIT, Given, Kept, kinds, walk, yes

TRAIN = """\
from lib.data import dataset
from lib.model import build

if __name__ == "__main__":
    model = build()
    model.fit(dataset())
    print("done")
"""
DATA = """\
import tensorflow as tf


def dataset():
    x = tf.ones((64, 4))
    print("loaded")
    return tf.data.Dataset.from_tensor_slices((x, x)).batch(8)
"""
MODEL = """\
import tensorflow as tf


def build():
    model = tf.keras.Sequential([tf.keras.layers.Dense(4)])
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    return model
"""
STRATEGY = """\
import tensorflow as tf

from lib.data import dataset
from lib.model import build

if __name__ == "__main__":
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = build()
    model.fit(dataset())
"""
FILES = {"train.py": TRAIN, "lib/__init__.py": "", "lib/data.py": DATA, "lib/model.py": MODEL}
WHOLE = ["lib/data.py", "lib/model.py", "train.py"]


def put(**files: str) -> None:
    """Writes these files; the names of modules are those of `FILES`."""
    Path("lib").mkdir(exist_ok=True)
    Path("pyproject.toml").write_text("", encoding="utf-8")
    for name, text in {**FILES, **files}.items():
        Path(name).write_text(text, encoding="utf-8")
    projects.forget()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    put()
    return tmp_path


def looked_at(*paths: str) -> Result:
    projects.forget()
    return look(paths or (".",), Choice((), ()), Terminal("never"))


def examine(
    target: Target, data: bytes | None, left_out: frozenset[str], repairs: frozenset[str]
) -> Outcome:
    if data is None:
        data = Path(target.path).read_bytes()
    repair = frozenset(each.code for each in codemods.repairs())
    return examine_bytes(target, data, Options(ignore=left_out - repair, repair=repairs))


class Talk(Interview):
    """The walk over a folder, with the last look of each file."""

    def __init__(self, *paths: str, recorded: Recorded | None = None) -> None:
        result = looked_at(*paths)
        self.joined = Joined(result.seen, examine, lambda folder: Options())

        def again(
            unit: Outcome, left_out: frozenset[str], repairs: frozenset[str] = frozenset()
        ) -> Outcome:
            if unit.source is None:
                self.joined.again()
                return examine(unit.target, None, left_out, repairs)
            return self.joined.look(unit, left_out, repairs)

        units = joined(result.outcomes)
        super().__init__(units, list(codemods.changes()), again, recorded, self.joined.units)


def names(step: Step) -> list[str]:
    return sorted(each.name for each in step.outcome.files if each.changed)


def asked(steps: Sequence[Step]) -> list[str]:
    return [step.code for step in steps if isinstance(step, Question)]


def without(codes: Collection[str]) -> Given:
    def given(step: Step) -> Answer:
        return NO if isinstance(step, Question) and step.code in codes else yes(step)

    return given


def made(talk: Interview) -> dict[str, bytes]:
    return {each.name: each.after for each in talk.outcomes if each.after is not None}


def test_yes_to_all_is_what_migrate_makes_of_all_files_and_writes_at_once(project: Path) -> None:
    talk = Talk()
    steps = walk(talk, yes)
    (written,) = [step for step in steps if isinstance(step, Write)]
    assert names(written) == WHOLE
    assert made(talk) == {each.name: each.after for each in looked_at().outcomes if each.after}


def test_a_rule_is_one_question_for_all_files_of_an_entry(project: Path) -> None:
    steps = walk(Talk(), yes)
    assert asked(steps) == sorted(set(asked(steps)))
    (printed,) = [s for s in steps if isinstance(s, Question) and s.code == "D203"]
    assert sorted(each.name for each in printed.changes) == ["lib/data.py", "train.py"]
    rules = {rule.code: rule for rule in codemods.changes()}
    lines = ["".join(span.text for span in line) for line in drawn.question(printed, rules, None)]
    places = [lines.index(f"  {each}") for each in ("train.py", "lib/data.py")]
    places[1:1] = [at for at, line in enumerate(lines) if '+        print("done")' in line]
    assert places == sorted(places)
    assert len(places) == 3


def test_files_of_one_entry_have_no_key_that_edits_one_text(project: Path) -> None:
    first = next(Talk().steps())
    assert isinstance(first, Question)
    assert EDIT not in keys_of(first)
    put(**{"train.py": FIT})
    only = next(Talk("train.py").steps())
    assert isinstance(only, Question)
    assert EDIT in keys_of(only)


def test_a_recorded_text_is_no_answer_for_several_files(project: Path) -> None:
    first: list[Answer] = [Edited("x = 1\n"), None]
    talk = Talk()
    steps = walk(talk, lambda step: first.pop(0) if first else yes(step))
    (refused,) = [step for step in steps if isinstance(step, Refused)]
    assert refused.reasons == (interview.SEVERAL,)
    assert sorted(made(talk)) == WHOLE


@pytest.mark.parametrize("count", [0, 1, pytest.param(2, marks=pytest.mark.slow)])
def test_no_subset_of_answers_is_unsound(project: Path, count: int) -> None:
    endings = [_ending(subset) for subset in itertools.combinations(_due(), count)]
    # What is printed, a matter of taste, is all that can be left out.
    assert [each for each in endings if each] == {0: [WHOLE], 1: [WHOLE], 2: []}[count]


@pytest.mark.slow
def test_no_other_subset_is_unsound(project: Path) -> None:
    for count in range(3, len(_due()) + 1):
        for subset in itertools.combinations(_due(), count):
            assert not _ending(subset)


def _due() -> list[str]:
    return asked(walk(Talk(), yes))


def _ending(left_out: Collection[str]) -> list[str]:
    """The files that are written where these rules are left out, looked at again."""
    put()
    talk = Talk()
    walk(talk, without(left_out))
    texts = made(talk)
    if not texts:
        assert {each.skipped for each in talk.outcomes if each.name in WHOLE} == {DECLINED}
    for name, text in texts.items():
        Path(name).write_bytes(text)
    if texts:
        again = looked_at()
        assert not [each.name for each in again.outcomes if each.blocked or each.problem]
        due = {step.code for each in again.outcomes for step in _steps(each)}
        assert due <= set(left_out)
    return sorted(texts)


def _steps(outcome: Outcome) -> Sequence[object]:
    return outcome.migration.steps if outcome.migration is not None else ()  # type: ignore[no-any-return]


def test_what_an_entry_loses_is_said_first(project: Path) -> None:
    (loss,) = [step for step in walk(Talk(), without(["D302"])) if isinstance(step, Loss)]
    assert sorted(each.name for each in loss.outcome.files) == WHOLE
    assert "nothing brings the workers to the same start" in " ".join(loss.reasons)


def test_done_with_an_entry_leaves_all_of_its_files(project: Path) -> None:
    talk = Talk()
    steps = walk(talk, lambda step: DONE if isinstance(step, Question) else yes(step))
    assert len(asked(steps)) == 1
    assert made(talk) == {}


def test_who_quits_leaves_all_files_of_an_entry(project: Path) -> None:
    talk, first = Talk(), [YES, YES, QUIT]
    walk(talk, lambda step: first.pop(0))
    assert made(talk) == {}
    assert {each.skipped for each in talk.outcomes if each.name in WHOLE} == {UNANSWERED}


def test_a_walk_that_was_left_goes_on_with_the_entry(project: Path) -> None:
    kept, first = Kept(), [YES, YES, QUIT]
    walk(Talk(recorded=kept), lambda step: first.pop(0))
    talk = Talk(recorded=kept)
    assert not set(asked(walk(talk, yes))) & {code for code, _ in kept.given if code == "D101"}
    assert sorted(made(talk)) == WHOLE
    put(**{"lib/data.py": "# a comment\n" + DATA})
    assert asked(walk(Talk(recorded=kept), yes)) == []
    put(**{"lib/data.py": DATA.replace('"loaded"', '"read"')})
    assert asked(walk(Talk(recorded=kept), yes)) == ["D203"]


def test_back_puts_all_files_of_an_entry_back(project: Path) -> None:
    put(**{"lone.py": FIT.replace("done", "alone")})
    talk, pressed = Talk(), []

    def given(step: Step) -> Answer:
        if isinstance(step, (Write, Restore)):
            return None
        pressed.append(step)
        is_last = isinstance(step, Question) and step.left == 1
        return BACK if is_last and len([s for s in pressed if s == step]) == 1 else YES

    steps = [step for step in walk(talk, given) if isinstance(step, (Write, Restore))]
    told = [(type(step), names(step)) for step in steps]
    files = names(steps[0])
    assert told[:3] == [(Write, files), (Restore, files), (Write, files)]
    assert sorted(made(talk)) == sorted([*WHOLE, "lone.py"])


def test_what_can_t_be_written_is_told_of_all_files_of_the_entry(project: Path) -> None:
    talk = Talk()
    problem = Problem("lib/data.py", "could not be written: it is read-only")
    walk(talk, lambda step: problem if isinstance(step, Write) else yes(step))
    failed = {each.name for each in talk.outcomes if each.problem and not each.changed}
    assert failed == set(WHOLE)


def test_two_entries_that_share_a_file_are_asked_about_as_one(project: Path) -> None:
    put(**{"again.py": TRAIN})
    talk = Talk()
    steps = walk(talk, without(["D203"]))
    assert asked(steps) == sorted(set(asked(steps)))
    assert [names(step) for step in steps if isinstance(step, Write)] == [["again.py", *WHOLE]]
    for name, text in made(talk).items():
        Path(name).write_bytes(text)
    assert not [each.name for each in looked_at().outcomes if each.blocked or each.problem]


def test_a_repaired_entry_is_joined_with_its_files(project: Path) -> None:
    """The other entry, which waited for it as both run the same code, is looked at again."""
    put(**{"late.py": STRATEGY})
    assert [each.name for each in looked_at().outcomes if each.changed] == []
    talk = Talk()

    def given(step: Step) -> Answer:
        return "1" if isinstance(step, Obstacle) and step.repairs else yes(step)

    steps = walk(talk, given)
    assert "late.py" in {s.outcome.name for s in steps if isinstance(s, Obstacle) and s.repairs}
    assert [names(step) for step in steps if isinstance(step, Write)] == [["late.py", *WHOLE]]
    for name, text in made(talk).items():
        Path(name).write_bytes(text)
    assert not [each.name for each in looked_at().outcomes if each.blocked or each.problem]


def test_a_module_that_was_edited_is_read_again(project: Path) -> None:
    """At a reason that blocks: what a person changed anywhere counts, and not what was read."""

    def given(step: Step) -> Answer:
        if isinstance(step, Obstacle):
            put()
            return EDIT
        return yes(step)

    put(**{"train.py": f"import tensorflow as tf\n\ntf.distribute.MirroredStrategy()\n{TRAIN}"})
    talk = Talk()
    assert Obstacle in kinds(walk(talk, given))
    assert made(talk) == {each.name: each.after for each in looked_at().outcomes if each.after}


@pytest.mark.parametrize(
    "seed", [1, 2, *(pytest.param(n, marks=pytest.mark.slow) for n in range(3, 25))]
)
def test_no_random_answers_leave_anything_unsound(project: Path, seed: int) -> None:
    """Entries that share files, one of them blocked, and one alone; with ways back."""
    put(**{"late.py": STRATEGY, "lone.py": FIT})
    before = {path: path.read_bytes() for path in project.rglob("*.py")}
    chance, talk = random.Random(seed), Talk()
    disk = dict(before)

    def given(step: Step) -> Answer:
        if isinstance(step, (Write, Restore)):
            for each in step.outcome.files:
                if each.changed and each.after is not None:
                    path = Path(each.target.path)
                    disk[path] = each.after if isinstance(step, Write) else before[path]
            return None
        if isinstance(step, Obstacle):
            return chance.choice(["1", "1", YES, BACK]) if step.repairs else YES
        if isinstance(step, Question):
            return chance.choice([*[YES] * 9, NO, BACK, DONE])
        return YES

    walk(talk, given)
    assert {path: text for path, text in disk.items() if text != before[path]} == {
        project / name: text for name, text in made(talk).items()
    }
    for path, text in disk.items():
        path.write_bytes(text)
    migrated = {each.target.path for each in talk.outcomes if each.after is not None}
    again = [each for each in looked_at().outcomes if each.target.path in migrated]
    assert not [each.name for each in again if each.blocked or each.problem]


def test_files_that_change_together_are_written_all_or_none(project: Path) -> None:
    (unit,) = [each for each in joined(looked_at().outcomes) if each.changed]
    Path("lib/model.py").write_text(MODEL + "# by somebody else\n")
    problem = Disk(unit.files).put(Write(unit))
    assert problem is not None
    assert Path("train.py").read_text() == TRAIN
    assert Path("lib/data.py").read_text() == DATA
    put()
    disk = Disk([])  # as for files that only a repair has joined
    assert disk.put(Write(unit)) is None
    assert {each.name: Path(each.name).read_bytes() for each in unit.files} == made_of(unit)
    assert disk.put(Restore(unit)) is None
    assert {name: Path(name).read_text() for name in FILES} == FILES


def made_of(unit: Outcome) -> dict[str, bytes | None]:
    return {each.name: each.after for each in unit.files}


def test_what_is_tried_has_all_files_of_the_entry(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (unit,) = [each for each in joined(looked_at().outcomes) if each.changed]
    tried: dict[str, bytes] = {}

    def run(command: list[str], cwd: str, check: bool) -> subprocess.CompletedProcess[bytes]:
        tried.update({name: Path(cwd, name).read_bytes() for name in WHOLE})
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    assert trial.run(unit, []) == 0
    assert tried == made_of(unit)
    assert {name: Path(name).read_text() for name in FILES} == FILES


def test_the_overview_names_the_files_of_an_entry(project: Path) -> None:
    lines = drawn.overview(joined(looked_at().outcomes), None)
    told = ["".join(span.text for span in line) for line in lines]
    assert told[0].startswith("train.py  trains with")
    assert told[0].endswith("rules, with lib/data.py, lib/model.py")
    assert told[-1].startswith(f"At most {len(_due())} questions")


# ------------------------------------------------- by the command


def answers(**given: bool) -> str:
    tables = [
        f'[[answers]]\nfile = "train.py"\nrule = "{code}"\n'
        f"apply = {str(given.get(code, True)).lower()}\n"
        for code in _due()
    ]
    return "\n".join(["version = 1\n", *tables])


def test_answers_are_played_back_for_all_files_of_an_entry(call: Call) -> None:
    put()
    expected = {each.name: each.after for each in looked_at().outcomes if each.after}
    Path("answers.toml").write_text(answers())
    given = call("migrate", "-i", "--answers", "answers.toml", ".")
    assert given.exit_code == 0, given.output
    assert {name: Path(name).read_bytes() for name in WHOLE} == expected


def test_a_rule_that_is_left_out_is_left_out_of_every_file(call: Call) -> None:
    put()
    Path("answers.toml").write_text(answers(D203=False))
    assert call("migrate", "-i", "--answers", "answers.toml", ".").exit_code == 0
    assert '\n    print("done")\n' in Path("train.py").read_text()
    assert '\n    print("loaded")\n' in Path("lib/data.py").read_text()
    assert "shard" in Path("lib/data.py").read_text()


def test_a_missing_answer_leaves_all_files_of_an_entry(call: Call) -> None:
    put()
    Path("answers.toml").write_text("version = 1\n")
    given = call("migrate", "-i", "--answers", "answers.toml", ".")
    assert given.exit_code == 2
    assert "train.py: no answer to what D101 changes there" in given.stderr
    assert {name: Path(name).read_text() for name in FILES} == FILES


def test_commits_of_a_walk_hold_all_files_of_an_entry(call: Call) -> None:
    put()
    expected = {each.name: each.after for each in looked_at().outcomes if each.after}
    Path(".gitignore").write_text("answers.toml\n")
    for words in ("init -q", "add .", "-c user.name=a -c user.email=a@b commit -q -m first"):
        assert os.system(f"git {words}") == 0
    for words in ("user.name a", "user.email a@b"):
        assert os.system(f"git config {words}") == 0
    Path("answers.toml").write_text(answers())
    given = call("migrate", "-i", "--commit", "--answers", "answers.toml", ".")
    assert given.exit_code == 0, given.output
    assert {name: Path(name).read_bytes() for name in WHOLE} == expected
    assert os.popen("git status --porcelain").read() == ""
    assert call("undo").exit_code == 0
    assert {name: Path(name).read_text() for name in FILES} == FILES


def test_a_person_is_asked_about_the_files_of_an_entry_as_one(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(**{"late.py": STRATEGY})
    (project / "home").mkdir()
    editor = project / "editor"  # which takes the obstacle away, and changes a module beside it
    editor.write_text("#!/bin/sh\ncp train.py $1\nprintf '\\n# by hand\\n' >> lib/data.py\n")
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    person = Person(project, "--color", "never", ".").press("ey?a")
    assert person.end() == 0, person.seen
    assert "late.py, lib/data.py, lib/model.py, train.py: written" in person.seen
    assert "edit what the rule makes" not in person.seen
    assert Path("late.py").read_text() == Path("train.py").read_text()
    data = Path("lib/data.py").read_text()
    assert data.endswith("# by hand\n")
    assert ".shard(hvd.size(), hvd.rank())" in data
