"""The files of a project, and what is changed in them together, by the command line's own way."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from distify.assistant import codemods
from distify.assistant.files import projects, together
from distify.assistant.files.choice import Choice
from distify.assistant.files.examine import WORKS
from distify.assistant.files.outcome import Outcome
from distify.assistant.files.result import Result, look, write
from distify.assistant.files.source_names import INSTALLED
from distify.assistant.report.terminal import Terminal
from distify.codemods.migrate import migrate

DATA = """\
import tensorflow as tf


def dataset():
    x = tf.ones((64, 4))
    return tf.data.Dataset.from_tensor_slices((x, x)).batch(8)


def names():
    return ["a"]
"""
MODEL = """\
import tensorflow as tf


def build():
    return tf.keras.Sequential([tf.keras.layers.Dense(4)])
"""
TRAIN = """\
import tensorflow as tf

from lib.data import dataset
from lib.model import build

if __name__ == "__main__":
    model = build()
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    model.fit(dataset())
"""
EVALUATE = """\
from lib.data import {what}
from lib.model import build

if __name__ == "__main__":
    print(build(), {what}())
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script and a package, with settings that make it a project."""
    files = {"train.py": TRAIN, "lib/__init__.py": "", "lib/data.py": DATA, "lib/model.py": MODEL}
    (tmp_path / "lib").mkdir()
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def looked_at(*paths: str) -> Result:
    return look(paths, Choice((), ()), Terminal("never"))


def outcome(result: Result, name: str) -> Outcome | None:
    return next((each for each in result.outcomes if each.name == name), None)


def changed(result: Result) -> list[str]:
    return [each.name for each in result.outcomes if each.changed]


def refused(result: Result, name: str = "train.py") -> str:
    """What keeps a file from being changed."""
    found = outcome(result, name)
    assert found is not None
    assert found.migration is not None
    assert found.blocked
    assert found.after is None
    return found.migration.blocked[-1].message


@pytest.mark.parametrize("name", ["train.py", "lib/data.py"])
def test_no_half_is_written_where_one_file_cannot_be(project: Path, name: str) -> None:
    before = {path: path.read_bytes() for path in project.rglob("*.py")}
    (project / name).chmod(0o444)
    result = write(looked_at("."))
    assert {path: path.read_bytes() for path in before} == before
    told = {each.name: each.problem.message for each in result.outcomes if each.problem}
    (other,) = {"train.py", "lib/data.py"} - {name}
    assert told[name] == "is read-only"
    assert told[other].startswith(f"was not written, because `{name}` has to change together")


def test_a_folder_is_changed_where_it_needs_it(project: Path) -> None:
    result = looked_at(".")
    assert changed(result) == ["lib/data.py", "train.py"]
    data = outcome(result, "lib/data.py")
    assert data is not None
    assert data.after is not None
    assert b".shard(hvd.size(), hvd.rank())" in data.after
    assert {target.name for target in result.plain} == {"lib/__init__.py", "lib/model.py"}


def test_what_is_not_given_is_not_changed(project: Path) -> None:
    result = looked_at("train.py")
    assert changed(result) == []
    assert "`lib/data.py:6` has to change together with this file (D101, D107)" in refused(result)
    (finding,) = outcome(result, "train.py").migration.blocked  # type: ignore[union-attr]
    assert finding.line == 3
    assert "`distify migrate train.py lib/data.py`" in finding.fix
    assert changed(looked_at("train.py", "lib/data.py")) == ["lib/data.py", "train.py"]


def test_what_is_needed_of_others_need_not_be_given(project: Path) -> None:
    train = TRAIN.replace("dataset()", "tf.random.normal((4, 4)), tf.random.normal((4, 4))")
    (project / "train.py").write_text(train.replace("from lib.data import ", "import os  # "))
    assert changed(looked_at("train.py")) == ["train.py"]


def after(result: Result, name: str) -> str:
    """The text that a file gets."""
    found = outcome(result, name)
    assert found is not None
    assert found.after is not None
    return found.after.decode()


def test_another_program_that_runs_the_same_code_starts_horovod(project: Path) -> None:
    """As one process, for which nothing changes; it would end in an error without that."""
    (project / "evaluate.py").write_text(EVALUATE.format(what="dataset"))
    result = looked_at(".")
    assert changed(result) == ["evaluate.py", "lib/data.py", "train.py"]
    head, _, rest = after(result, "evaluate.py").partition("\nhvd.init()\n")
    imports = EVALUATE.partition("\n\n")[0].format(what="dataset")
    assert head == f"import horovod.tensorflow as hvd\n{imports}\n"
    assert rest == "\n" + EVALUATE.partition("\n\n")[2].format(what="dataset")


def test_such_a_program_changes_with_the_entry_or_not_at_all(project: Path) -> None:
    (project / "evaluate.py").write_text(EVALUATE.format(what="dataset"))
    result = looked_at("train.py", "lib")
    assert changed(result) == []
    assert "`evaluate.py:2` has to change together with this file (D101, D102)" in refused(result)
    (project / "evaluate.py").chmod(0o444)
    assert changed(write(looked_at("."))) == []


def test_a_program_that_starts_horovod_already_stays_as_it_is(project: Path) -> None:
    text = "import horovod.tensorflow as hvd\n" + EVALUATE.format(what="dataset")
    text = text.replace("\n\nif", "\n\nhvd.init()\nif")
    (project / "evaluate.py").write_text(text)
    assert changed(looked_at(".")) == ["lib/data.py", "train.py"]


@pytest.mark.parametrize(
    "text",
    [
        "def broken(:\n",
        'if __name__ == "__main__":\n    from lib.data import dataset\n    dataset()\n',
    ],
)
def test_a_program_that_has_no_place_for_that_is_named(project: Path, text: str) -> None:
    (project / "evaluate.py").write_text(text)
    result = looked_at(".")
    if "broken" in text:
        assert changed(result) == ["lib/data.py", "train.py"]
    else:
        assert changed(result) == []
        assert "`evaluate.py`, which runs the same code" in refused(result)


DIRECTORY = """\
import os


def dataset():
    if not os.path.exists("a"):
        os.mkdir("a")
"""


@pytest.mark.parametrize(
    ("line", "is_started"),
    [
        ("logger = logging.getLogger(__name__)", False),
        ("logging.basicConfig()", False),
        ("flags.DEFINE_integer('a', 1, 'b')", False),
        ("LOG.setLevel(1)", False),
        ("TABLE = [len(x) for x in 'ab']", False),
        ("print(dataset())", True),
        ("for x in dataset():\n    print(x)", True),
    ],
)
def test_a_module_that_only_sets_itself_up_is_no_program(
    project: Path, line: str, is_started: bool
) -> None:
    """It is imported by others, which start Horovod: as a program it would have to."""
    (project / "lib/report.py").write_text(f"from lib.data import dataset\n\n{line}\n")
    names = ["lib/data.py", *(["lib/report.py"] if is_started else []), "train.py"]
    assert changed(looked_at(".")) == names


def test_code_that_asks_horovod_nothing_concerns_nobody(project: Path) -> None:
    (project / "lib/data.py").write_text(DIRECTORY)
    drawn = "tf.random.normal((8, 4)), tf.random.normal((8, 4)))"
    train = (
        TRAIN.replace("dataset())", drawn)
        .replace("dataset())", "tf.random.normal((8, 4)), tf.random.normal((8, 4)))")
        .replace("model =", "dataset()\n    model =")
    )
    (project / "train.py").write_text(train)
    (project / "evaluate.py").write_text(EVALUATE.format(what="dataset"))
    result = looked_at(".")
    assert "evaluate.py" not in changed(result)
    assert changed(result)


def test_another_program_that_runs_other_code_is_of_no_matter(project: Path) -> None:
    (project / "evaluate.py").write_text(EVALUATE.format(what="names"))
    assert changed(looked_at(".")) == ["lib/data.py", "train.py"]


def test_two_programs_that_want_the_same_share_it(project: Path) -> None:
    (project / "again.py").write_text(TRAIN)
    assert changed(looked_at(".")) == ["again.py", "lib/data.py", "train.py"]
    assert changed(looked_at("train.py", "lib/data.py")) == []


def test_two_programs_that_want_different_code_are_refused(project: Path) -> None:
    tape = (
        "import tensorflow as tf\n\nfrom lib.data import dataset\nfrom lib.model import build\n\n"
        'if __name__ == "__main__":\n    model, optimizer = build(), tf.keras.optimizers.SGD(0.1)\n'
        "    for x, y in dataset():\n        with tf.GradientTape() as tape:\n"
        "            loss = tf.reduce_mean(model(x) - y)\n"
        "        grads = tape.gradient(loss, model.trainable_variables)\n"
        "        optimizer.apply_gradients(zip(grads, model.trainable_variables))\n"
    )
    (project / "tape.py").write_text(tape.replace("dataset():", "dataset().skip(1):"))
    result = looked_at(".")
    assert "lib/data.py" in changed(result) or "runs the same code" in refused(result)


def test_who_is_refused_keeps_what_it_shares_as_it_was(project: Path) -> None:
    """And the reason is its own."""
    (project / "again.py").write_text(TRAIN.replace("dataset())", "dataset(), **eval(input()))"))
    result = looked_at(".")
    assert changed(result) == []
    told = "`lib/data.py` has to change for this file, and `again.py`, which runs the same code"
    assert told in refused(result)
    codes = {outcome(result, name).migration.blocked[0].code for name in ("again.py", "train.py")}  # type: ignore[union-attr]
    assert codes == {"K02"}


def test_a_file_that_asks_to_be_left_alone_is_not_followed(project: Path) -> None:
    (project / "lib/data.py").write_text("# distify: skip-file\n" + DATA)
    assert "lib/data.py" not in changed(looked_at("."))


@pytest.mark.parametrize("mark", projects.TRACES)
def test_a_project_without_its_repository_is_known_by_what_lies_at_its_top(
    project: Path, mark: str
) -> None:
    """As an archive brings it; the script finds modules above its own folder."""
    (project / "pyproject.toml").rename(project / mark)
    (project / "scripts").mkdir()
    (project / "train.py").rename(project / "scripts/train.py")
    projects.forget()
    projects.root.cache_clear()
    assert projects.root(str(project / "scripts")) == str(project)
    assert changed(looked_at(".")) == ["lib/data.py", "scripts/train.py"]


def test_the_nearest_mark_of_a_project_goes_before_traces_of_one(project: Path) -> None:
    (project / "scripts").mkdir()
    (project / "scripts/README.md").write_text("")
    assert projects.root(str(project / "scripts")) == str(project)


@pytest.mark.parametrize("installed", INSTALLED)
def test_installed_packages_are_no_part_of_the_project(project: Path, installed: str) -> None:
    folder = project / installed / "lib"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "data.py").write_text(DATA)
    (folder.parent / "evaluate.py").write_text(EVALUATE.format(what="dataset"))
    assert projects.text_of(str(folder / "data.py")) is None
    assert not [path for path in projects.files(str(project)) if installed in path]
    assert changed(looked_at(".")) == ["lib/data.py", "train.py"]


def test_the_programs_of_an_environment_are_none_of_the_project(project: Path) -> None:
    (project / "env/bin").mkdir(parents=True)
    (project / "env/pyvenv.cfg").write_text("")
    (project / "env/bin/evaluate.py").write_text(EVALUATE.format(what="dataset"))
    assert not [path for path in projects.files(str(project)) if "env" in path.split(os.sep)]


def test_a_program_of_another_suffix_runs_the_same_code(project: Path) -> None:
    (project / "evaluate.pyw").write_text(EVALUATE.format(what="dataset"))
    assert "evaluate.pyw" in changed(looked_at("."))


def test_the_files_of_a_project_are_listed_once(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tops: list[str] = []
    plain = os.walk
    monkeypatch.setattr(os, "walk", lambda top: [tops.append(top), *plain(top)][1:])
    for name in ("again.py", "once_more.py"):
        (project / name).write_text(TRAIN)
    assert "lib/data.py" in changed(looked_at("."))
    assert tops == [str(project)]


@pytest.mark.parametrize(
    ("then", "cause"),
    [
        (FileNotFoundError(2, "No such file or directory"), "no such file or folder"),
        (b"\xff", "byte 0xff is not valid utf-8"),
        (DATA.encode() + b"x = 1\n", "it was changed while distify looked at it"),
    ],
)
def test_a_file_that_is_another_one_by_then_is_a_problem(
    project: Path, monkeypatch: pytest.MonkeyPatch, then: OSError | bytes, cause: str
) -> None:
    """And nothing is written: the entry can't do without it."""

    def read(path: str) -> bytes:
        if isinstance(then, OSError):
            raise then
        return then

    monkeypatch.setattr(together, "read", read)
    result = looked_at(".")
    assert changed(result) == []
    data = outcome(result, "lib/data.py")
    assert data is not None
    assert data.problem is not None
    assert cause in data.problem.message
    assert result.failed
    assert f"`lib/data.py` has to change together with this file, and it can't be: {cause}" in (
        refused(result)
    )


def test_a_file_that_trains_by_itself_changes_for_both(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = TRAIN.replace("from lib.data import dataset\nfrom lib.model import build\n", DATA[26:])
    own = own.replace("build()", "tf.keras.Sequential([tf.keras.layers.Dense(4)])")
    (project / "lib/data.py").write_text(own)
    monkeypatch.setattr(codemods, "migrate", migrate)
    result = looked_at(".")
    assert changed(result) == ["lib/data.py", "train.py"]
    assert after(result, "lib/data.py") == migrate(own).after


def test_a_module_that_starts_nothing_is_no_entry(project: Path) -> None:
    text = TRAIN.replace('if __name__ == "__main__":', "def main():")
    assert projects.around(str(project / "train.py"), text) is None
    assert projects.around(str(project / "train.py"), TRAIN) is not None
    assert projects.around("", TRAIN) is None


def test_a_module_that_runs_the_same_code_when_it_is_started_starts_horovod(project: Path) -> None:
    for tried, is_started in (("dataset", True), ("names", False)):
        main = f'\n\nif __name__ == "__main__":\n    print({tried}())\n'
        (project / "lib/data.py").write_text(DATA + main)
        projects.forget()
        result = looked_at(".")
        assert changed(result) == ["lib/data.py", "train.py"]
        start = "    hvd.init()\n" if is_started else ""
        assert after(result, "lib/data.py").endswith(f'"__main__":\n{start}    print({tried}())\n')


def test_a_module_between_that_runs_it_when_it_is_started_does_so_as_well(project: Path) -> None:
    main = '\n\nif __name__ == "__main__":\n    print(build(), dataset())\n'
    text = MODEL.replace("\n\n\n", "\n\nfrom lib.data import dataset\n\n\n", 1) + main
    (project / "lib/model.py").write_text(text)
    result = looked_at(".")
    assert changed(result) == ["lib/data.py", "lib/model.py", "train.py"]
    assert "    hvd.init()\n    print(build()" in after(result, "lib/model.py")
    assert "hvd.init()" not in after(result, "lib/data.py")


def test_what_two_programs_run_of_one_file_changes_for_both(project: Path) -> None:
    """The last one's changes took the place of those of the first, which was never sharded."""
    more = DATA.partition("def dataset")[2].partition("def names")[0].rstrip() + "\n"
    (project / "lib/data.py").write_text(f"{DATA}\n\ndef more{more}")
    (project / "again.py").write_text(TRAIN.replace("dataset", "more"))
    for names in ((".",), ("again.py", "train.py", "lib")):
        result = looked_at(*names)
        assert changed(result) == ["again.py", "lib/data.py", "train.py"]
        assert after(result, "lib/data.py").count(".shard(hvd.size(), hvd.rank())") == 2
        assert after(result, "lib/data.py").count("import horovod") == 1


TRAINER = """\
import tensorflow as tf


class Trainer:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def train(self, data):
        for x, y in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((self.model(x) - y) ** 2)
            grads = tape.gradient(loss, self.model.trainable_variables)
            self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
"""
SCRIPT = """\
import tensorflow as tf

from lib.data import dataset
from lib.model import build
from lib.trainer import Trainer

Trainer(build(), tf.keras.optimizers.SGD(0.1)).train(dataset())
"""


@pytest.fixture
def trainer(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project with a class that trains, and files that are looked at alone, too."""
    monkeypatch.setattr(codemods, "migrate", migrate)
    (project / "lib/trainer.py").write_text(TRAINER)
    (project / "train.py").write_text(SCRIPT)
    return project


def test_a_script_without_a_main_part_is_found_in_its_folder(trainer: Path) -> None:
    assert changed(looked_at(".")) == ["lib/data.py", "lib/trainer.py", "train.py"]


def test_nothing_is_said_of_a_trainer_that_a_finished_script_starts(trainer: Path) -> None:
    for each in looked_at(".").outcomes:
        if each.after is not None:
            (trainer / each.name).write_bytes(each.after)
    projects.forget()
    result = looked_at(".")
    assert changed(result) == []
    assert not any(each.migration and each.migration.blocked for each in result.outcomes)


def test_what_is_said_of_a_program_of_its_own_is_said_beside_others(trainer: Path) -> None:
    (trainer / "lib/trainer.py").write_text(
        TRAINER + '\n\nif __name__ == "__main__":\n    Trainer(*eval(input())).train([])\n'
    )
    found = outcome(looked_at("."), "lib/trainer.py")
    assert found is not None
    assert found.migration is not None
    assert found.migration.blocked


STEPS = """\
from lib.model import build
from lib.train import train
import tensorflow as tf

x = tf.ones((64, 4))
data = tf.data.Dataset.from_tensor_slices((x, x)).repeat().batch(4)
train(build(), data, {steps})
"""
SHARED = """\
def train(model, data, steps):
    model.compile("sgd", "mse")
    model.fit(data, steps_per_epoch=steps)
"""


@pytest.mark.parametrize(("steps", "blocked"), [(60, False), (2000, True)])
@pytest.mark.parametrize("looks", [False, True])
def test_who_only_looks_is_told_of_two_entries_that_meet(
    project: Path, steps: int, blocked: bool, looks: bool
) -> None:
    (project / "lib/train.py").write_text(SHARED)
    (project / "a.py").write_text(STEPS.format(steps=steps))
    (project / "b.py").write_text(STEPS.format(steps=50))
    result = look(["a.py", "b.py", "lib"], Choice((), (), only_look=looks), Terminal("never"))
    assert changed(result) == ([] if blocked else ["a.py", "b.py", "lib/train.py"])
    if blocked:
        assert "`lib/train.py` would have to change in another way for `b.py`" in refused(
            result, "a.py"
        )
    else:
        found = outcome(result, "lib/train.py")
        assert found is not None
        assert (found.after is None) is looks


@pytest.mark.parametrize(
    ("text", "is_script"),
    [
        ("trainer.train(data)\n", True),
        ("train(build(), data)\n", True),
        ("fit_all()\n", True),
        ("history = model.fit(data)\n", True),
        ("Trainer(\n    model\n).train(data)\n", True),
        ("for x in data:\n    step(x)\n", True),
        ("main()\n", True),
        ("Runner.of(args).run()\n", True),
        ("experiment.start(2)  \n", True),
        ("if args.mode == 'train':\n    engine.train(model)\nelse:\n    test()\n", True),
        ("if a:\n    test()\n\nelif b:\n    seed()\n    Runner().run()\n", True),
        ("if TYPE_CHECKING:\n    from train import fit\n", False),
        ("if old:\n    def train(x):\n        return x\n", False),
        ("x = 1\nif old:\n    x = 2\n\n\ndef f():\n    return train(x)\n", False),
        ("log.info(1)\nname = run_name(args)\n", False),
        ("def train(x):\n    return fit(x)\n", False),
        ("class Trainer(Base):\n    pass\n", False),
        ("from train import fit\n\nlog = get_logger(1)\n", False),
    ],
)
def test_libraries_are_told_from_scripts_by_their_bytes(text: str, is_script: bool) -> None:
    assert (WORKS.search(text.encode()) is not None) == is_script


def test_a_file_that_changes_by_itself_changes_for_another_one_as_well(trainer: Path) -> None:
    """Its own training, and what others run of it."""
    own = TRAIN.partition("if __name__")[2].replace("build()", "tf.keras.Sequential()")
    own = own.replace("dataset()", "tf.random.normal((8, 4)), tf.random.normal((8, 4))")
    (trainer / "lib/data.py").write_text(f"{DATA}\n\nif __name__{own}")
    result = looked_at(".")
    assert changed(result) == ["lib/data.py", "lib/trainer.py", "train.py"]
    text = after(result, "lib/data.py")
    assert text.count("hvd.init()") == text.count(".shard(hvd.size(), hvd.rank())") == 1
    assert text.count("import horovod") == text.count("callbacks=[") == 1


def test_a_program_that_waits_for_a_file_keeps_others_from_changing_what_it_runs(
    trainer: Path,
) -> None:
    (trainer / "again.py").write_text(TRAIN)
    paths = ("train.py", "again.py", "lib/data.py")
    assert changed(looked_at(*paths, "lib/trainer.py")) == [
        "again.py", "lib/data.py", "lib/trainer.py", "train.py"
    ]  # fmt: skip
    result = looked_at(*paths)
    assert changed(result) == []
    assert "`lib/trainer.py:7` has to change together" in refused(result)
    assert "`train.py`, which runs the same code" in refused(result, "again.py")


@pytest.mark.parametrize("blocks", ["", "\nprint(model.fit(*eval(input())))\n"])
def test_a_trainer_is_spoken_of_where_what_starts_it_is_refused(trainer: Path, blocks: str) -> None:
    """By a file that was not given, or by something in the script."""
    (trainer / "train.py").write_text(SCRIPT + blocks)
    given = () if not blocks else ("lib/data.py",)
    result = looked_at("train.py", "lib/trainer.py", *given)
    assert changed(result) == []
    assert refused(result)
    assert "T01" in {f.code for f in outcome(result, "lib/trainer.py").migration.blocked}  # type: ignore[union-attr]


def test_a_project_that_is_too_large_says_so(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And its script is looked at alone; nobody knows then what else it runs."""
    monkeypatch.setattr(codemods, "migrate", migrate)
    monkeypatch.setattr(projects, "MOST", 2)
    found = outcome(looked_at("train.py"), "train.py")
    assert found is not None
    assert found.migration is not None
    (note,) = (each for each in found.migration.notes if each.code == "T01")
    assert "more than 2 files of its project are behind its imports" in note.message
    assert found.migration.blocked
    assert projects.runs(str(project / "train.py"), str(project / "lib/data.py"), [1])
    monkeypatch.setattr(projects, "MOST", 2_000)
    assert changed(looked_at("train.py", "lib/data.py")) == ["lib/data.py", "train.py"]


@pytest.mark.parametrize(
    "line",
    [
        'sys.path.append("lib")',
        'sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))',
        'sys.path.append(str(Path(__file__).resolve().parent / "lib"))',
        "import _paths",
    ],
)
def test_a_folder_of_the_search_path_is_followed(project: Path, line: str) -> None:
    (project / "_paths.py").write_text('import sys\n\nsys.path.insert(0, "lib")\n', "utf-8")
    head = f"import os\nimport sys\nfrom pathlib import Path\n\n{line}\n"
    (project / "train.py").write_text(head + TRAIN.replace("from lib.", "from "), "utf-8")
    write(looked_at("."))
    assert "hvd.shard" not in (project / "lib" / "model.py").read_text("utf-8")
    assert ".shard(hvd.size(), hvd.rank())" in (project / "lib" / "data.py").read_text("utf-8")
    assert "hvd.DistributedOptimizer" in (project / "train.py").read_text("utf-8")


def test_a_folder_that_is_computed_is_not_guessed(project: Path) -> None:
    head = "import os\nimport sys\n\nsys.path.append(os.environ['LIB'])\n"
    text = head + TRAIN.replace("from lib.", "from ").replace(
        "tf.keras.optimizers.SGD(0.1)", "'sgd'"
    )
    assert projects.around(str(project / "train.py"), text) is None
    (found,) = migrate(text).blocked
    assert (found.code, found.line) == ("T01", 8)
    assert "`build` is of another module, `model`" in found.message


BY_CHANCE = """\
import random

import tensorflow as tf

from lib.data import dataset
from lib.model import build

model = build()
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
while random.random() < 0.5:
    model.fit(dataset())
"""


def test_a_program_that_is_refused_for_many_workers_stays_on_one(project: Path) -> None:
    """It shares what changes: alone it does what it did, and it ends where it is not alone."""
    (project / "again.py").write_text(BY_CHANCE)
    result = looked_at(".")
    assert changed(result) == ["again.py", "lib/data.py", "train.py"]
    text = after(result, "again.py")
    guard = "\nhvd.init()\nif hvd.size() > 1:\n    raise SystemExit("
    assert guard in text
    lines = text.replace("import horovod.tensorflow.keras as hvd\n", "").splitlines(keepends=True)
    start = lines.index("hvd.init()\n")
    assert "".join([*lines[:start], *lines[start + 4 :]]) == BY_CHANCE
    (note,) = outcome(result, "again.py").migration.notes  # type: ignore[union-attr]
    assert (note.code, note.line) == ("T07", 10)
    assert note.message.startswith("it is made for one worker, and ends on more: this decides")
    write(result)
    projects.forget()
    again = looked_at(".")
    assert changed(again) == []
    assert not [each for each in again.outcomes if each.blocked]


UNKNOWN = """\
import numpy as np
import tensorflow as tf

from {0} import {1}

x, y = np.load("x.npy"), np.load("y.npy")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer=plugins.optimizer(), loss="mse")
model.fit({2}, epochs=3)
{3}
"""
REPORT = """\
def report(text):
    with open("log.txt", "w") as file:
        file.write(text)
"""
GOOD = UNKNOWN.replace("plugins.optimizer()", "tf.keras.optimizers.SGD(0.1)")


def test_a_program_that_runs_only_guards_keeps_nobody_back(project: Path) -> None:
    """Whatever it is refused for: on one worker a guard is open for all that it may be given."""
    words = ("report", "report", "x, y", "report('done')")
    (project / "report.py").write_text(REPORT)
    (project / "train.py").write_text(GOOD.format(*words))
    (project / "other.py").write_text(UNKNOWN.format(*words))
    result = looked_at(".")
    assert changed(result) == ["other.py", "report.py", "train.py"]
    assert "if hvd.size() > 1:\n    raise SystemExit(" in after(result, "other.py")
    (note,) = outcome(result, "other.py").migration.notes  # type: ignore[union-attr]
    assert (note.code, note.line) == ("R05", 8)


def test_a_program_that_runs_shared_data_keeps_others_back(project: Path) -> None:
    """What `dataset` becomes is right for what `train.py` does with it, and was seen there."""
    (project / "other.py").write_text(UNKNOWN.format("lib.data", "dataset", "dataset()", ""))
    result = looked_at(".")
    assert changed(result) == []
    (finding,) = outcome(result, "other.py").migration.blocked  # type: ignore[union-attr]
    assert finding.code == "R05"


STARRED = """\
import numpy as np
import tensorflow as tf

from common import *

x, y = np.load("x.npy"), np.load("y.npy")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
"""
BY_TAPE = (
    STARRED
    + """\
for rows, labels in tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(rows) - labels) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
report("done")
"""
)
BY_FIT = STARRED + 'model.compile(optimizer, "mse")\nmodel.fit(x, y)\nreport("done")\n'


def test_a_star_that_would_take_the_new_import_away_is_refused(project: Path) -> None:
    """`hvd` of common.py is Keras's, which knows no tape, and would hide that of other.py."""
    (project / "common.py").write_text(REPORT)
    (project / "train.py").write_text(BY_FIT)
    (project / "other.py").write_text(BY_TAPE)
    result = looked_at(".")
    assert changed(result) == []
    assert not result.failed
    assert "could not be read together: `common.py` is not followed" in refused(result, "other.py")


def test_one_that_needs_the_tape_and_keras_starts_the_one_that_it_imports(project: Path) -> None:
    (project / "report.py").write_text(REPORT)
    (project / "train.py").write_text(GOOD.format("report", "report", "x, y", "report('done')"))
    text = GOOD.format("report", "report", "x, y", "report('done')")
    loop = "for step in range(9):\n    model.train_on_batch(x, y)"
    (project / "other.py").write_text(text.replace("model.fit(x, y, epochs=3)", loop))
    result = looked_at(".")
    assert changed(result) == ["other.py", "report.py", "train.py"]
    assert " as hvd\n" in after(result, "other.py")


def test_a_helper_without_imports_keeps_nobody_back(tmp_path: Path) -> None:
    """What it asks Horovod for stands in a function; above its first line is the import alone."""
    (tmp_path / "helper.py").write_text(
        "def report(text):\n    with open('log.txt', 'w') as file:\n        file.write(text)\n"
    )
    head = "import random\n\nimport numpy as np\nimport tensorflow as tf\n\n"
    head += "from helper import report\n\nx, y = np.load('x.npy'), np.load('y.npy')\n"
    head += "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.compile('sgd', 'mse')\n"
    fit = "model.fit(x, y, epochs=3)\n"
    (tmp_path / "good.py").write_text(f"{head}{fit}report('done')\n")
    (tmp_path / "odd.py").write_text(
        f"{head}while random.random() < 0.5:\n    {fit}report('done')\n"
    )
    result = looked_at(str(tmp_path))
    assert {Path(each).name for each in changed(result)} == {"good.py", "helper.py", "odd.py"}


def test_it_stays_as_it_is_where_nothing_of_it_changes(project: Path) -> None:
    (project / "again.py").write_text(BY_CHANCE.replace("dataset()", "tf.ones((4, 4))"))
    result = looked_at(".")
    assert changed(result) == ["lib/data.py", "train.py"]
    assert refused(result, "again.py")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"mse")', '"mse", jit_compile=True)'),  # Horovod's operations can't be compiled
        ("model = build()", "strategy = tf.distribute.MirroredStrategy()\nmodel = build()"),
        ("import random", "import random\n\nimport horovod.tensorflow as hvd"),
    ],
)
def test_what_one_worker_cannot_do_either_keeps_all_as_it_is(
    project: Path, old: str, new: str
) -> None:
    (project / "again.py").write_text(BY_CHANCE.replace(old, new))
    result = looked_at(".")
    assert "lib/data.py" not in changed(result)
    assert "`again.py`, which runs the same code" in refused(result)


def test_a_program_that_another_one_imports_is_not_ended(project: Path) -> None:
    (project / "again.py").write_text(BY_CHANCE)
    (project / "other.py").write_text("from again import model\n\nprint(model)\n")
    result = looked_at(".")
    assert "again.py" not in changed(result)
    assert "`again.py`, which runs the same code" in refused(result)


MODEL_FN = """\
import tensorflow as tf


def build(rate):
    def model_fn(features, labels, mode):
        logits = tf.layers.dense(features["x"], 1)
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tf.estimator.EstimatorSpec(mode, predictions=logits)
        loss = tf.losses.mean_squared_error(labels, logits)
        if mode == tf.estimator.ModeKeys.TRAIN:
            optimizer = tf.train.AdamOptimizer(rate)
            train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
            return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)
        return tf.estimator.EstimatorSpec(mode, loss=loss)

    return model_fn
"""
TASK = """\
import tensorflow as tf

from lib.net import build


def given():
    return tf.data.Dataset.from_tensor_slices(({"x": tf.ones((64, 4))}, tf.ones(64))).batch(8)


estimator = tf.estimator.Estimator(build(0.1), model_dir="out")
train_spec = tf.estimator.TrainSpec(given, max_steps=100)
tf.estimator.train_and_evaluate(estimator, train_spec, tf.estimator.EvalSpec(given))
print("done")
"""


def test_what_an_entry_runs_is_told_by_what_keeps_the_entry_back(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alone, `minimize` in a module would be a session of which nobody can tell what it trains."""
    monkeypatch.setattr(codemods, "migrate", migrate)
    (project / "lib/net.py").write_text(MODEL_FN)
    (project / "task.py").write_text(TASK)
    result = looked_at(".")
    assert "in turns by the clock" in refused(result, "task.py")
    assert refused(result, "lib/net.py").startswith("`task.py` starts this training, and is refus")
    (finding,) = outcome(result, "lib/net.py").migration.blocked  # type: ignore[union-attr]
    assert finding.line == 12
