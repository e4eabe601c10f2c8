"""The cache says what a look would say, and nothing where anything is different."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from distify.assistant import codemods
from distify.assistant.cli import quick
from distify.assistant.files import cache_folder, cache_keys, projects
from distify.assistant.files.cache_shape import _SHAPES, BadShape, packed, unpacked
from distify.codemods.migrate import migrate as real_migrate
from distify.codemods.model import Migration, Offer, Options, Other, Step, Suppressed

from ..conftest import BLOCKED, CACHES, NOTED, TRAIN, Call

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.py"))
CHECK = ["migrate", "--check", "--force-exclude"]
FOLDER = cache_folder.NAME


@pytest.fixture
def project(here: Path) -> Path:
    (here / "pyproject.toml").write_text('[project]\nname = "mine"\n', "utf-8")
    (here / "train.py").write_text(BLOCKED, "utf-8")
    return here


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are looked at."""
    looked: list[str] = []
    fake = codemods.migrate

    def migrate(text: str, options: Options, name: str) -> Migration:
        looked.append(name)
        return fake(text, options, name)

    monkeypatch.setattr(codemods, "migrate", migrate)
    monkeypatch.setattr(codemods, "migrate_project", lambda *asked: None)
    return looked


def asked(*words: str) -> int | None:
    """The exit code of a run of its own, which remembers nothing but what is in the folder."""
    for each in CACHES:
        each.cache_clear()
    return quick.answer([*CHECK, *(words or ["train.py"])])


def test_what_was_looked_at_is_recalled(
    project: Path, looks: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert asked() == 1
    first = capsys.readouterr()
    assert asked() == 1
    assert looks == ["train.py"]
    assert capsys.readouterr() == first
    assert (project / FOLDER / ".gitignore").read_text("utf-8").endswith("\n*\n")
    assert not [name for name in os.listdir(project / FOLDER) if name.endswith(".new")]


@pytest.mark.parametrize("word", ["option", "setting"])
def test_who_wants_none_gets_none(word: str, project: Path, looks: list[str]) -> None:
    if word == "setting":
        (project / "pyproject.toml").write_text("[tool.distify]\ncache = false\n", "utf-8")
    words = ["train.py", *(["--no-cache"] if word == "option" else [])]
    assert [asked(*words), asked(*words)] == [1, 1]
    assert looks == ["train.py"] * 2
    assert not (project / FOLDER).exists()


def test_outside_of_a_project_nothing_is_written(here: Path, looks: list[str]) -> None:
    (here / "train.py").write_text(BLOCKED, "utf-8")
    if projects.root(str(here)) != str(here):
        pytest.skip("the folder of the tests is in a project")
    assert asked() == 1
    assert os.listdir(here) == ["train.py"]


def test_a_setting_that_is_no_answer_is_refused(project: Path, call: Call) -> None:
    (project / "pyproject.toml").write_text('[tool.distify]\ncache = "no"\n', "utf-8")
    assert "cache must be true or false" in call("migrate", "--check", "train.py").stderr


@pytest.mark.parametrize(
    "what", ["text", "setting", "factory", "version", "python", "sources", "name"]
)
def test_whatever_is_different_is_looked_at_anew(
    what: str, project: Path, looks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked()
    name = "train.py"
    if what == "text":
        (project / name).write_text(BLOCKED + "\n", "utf-8")
    elif what == "setting":
        (project / "pyproject.toml").write_text('[tool.distify]\ntensorflow = "2.12"\n', "utf-8")
    elif what == "factory":
        text = '[tool.distify]\nmodels = ["pkg.build"]\n'
        (project / "pyproject.toml").write_text(text, "utf-8")
    elif what == "version":
        monkeypatch.setattr("distify.__version__", "0.0.9")
    elif what == "python":
        monkeypatch.setattr(sys, "version", "3.99")
    elif what == "sources":
        monkeypatch.setattr(cache_keys, "_sources", lambda folder: [("migrate.py", 1, 1)])
    else:
        name = "./../project/train.py"
    cache_keys.itself.cache_clear()
    assert asked(name) == 1
    assert len(looks) == 2
    cache_keys.itself.cache_clear()


def test_modules_that_are_read_count(project: Path, looks: list[str]) -> None:
    train = BLOCKED.replace("tf\n", "tf\nfrom data import load\nimport gone\n")
    (project / "train.py").write_text(train, "utf-8")
    (project / "data.py").write_text("def load(): pass\n", "utf-8")
    asked()
    asked()
    assert len(looks) == 1
    (project / "data.py").write_text("def load(): return 1\n", "utf-8")
    asked()
    assert len(looks) == 2
    (project / "gone.py").write_text("x = 1\n", "utf-8")
    asked()
    assert len(looks) == 3
    (project / "data.py").unlink()
    asked()
    assert len(looks) == 4


def entry(project: Path) -> Path:
    (found,) = (project / FOLDER).glob("*.json")
    return found


HOSTILE = [
    b"",
    b"\xff\x00",
    b"null",
    b"[1, 2, 3, 4, 5]",
    b"[" * 100_000,
    b'{"a": 1}',
    b" " * 300_000,
]


@pytest.mark.parametrize("data", HOSTILE, ids=range(len(HOSTILE)))
def test_content_that_is_none_of_ours_is_no_answer(
    data: bytes, project: Path, looks: list[str]
) -> None:
    asked()
    entry(project).write_bytes(data)
    assert asked() == 1
    assert len(looks) == 2
    assert asked() == 1
    assert len(looks) == 2


@pytest.mark.parametrize("number", range(5))
@pytest.mark.parametrize("value", [None, 0, "x", [], [1], {}, {"../../etc/passwd": "x"}])
def test_parts_of_another_shape_are_no_answer(
    number: int, value: object, project: Path, looks: list[str]
) -> None:
    asked()
    answer = json.loads(entry(project).read_text("utf-8"))
    if answer[number] == value:
        return
    answer[number] = value
    entry(project).write_text(json.dumps(answer), "utf-8")
    assert asked() == 1
    assert len(looks) == 2


def test_a_folder_that_was_copied_is_not_believed(project: Path, looks: list[str]) -> None:
    asked()
    kept = {each.name: each.read_bytes() for each in (project / FOLDER).iterdir()}
    for each in (project / FOLDER).iterdir():
        each.unlink()
    for name, data in kept.items():
        (project / FOLDER / name).write_bytes(data)
    assert asked() == 1
    assert len(looks) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_nothing_is_written_through_a_link(project: Path, looks: list[str], tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (project / FOLDER).symlink_to(elsewhere)
    assert [asked(), asked()] == [1, 1]
    assert not list(elsewhere.iterdir())
    assert len(looks) == 2


def test_a_file_in_the_folders_place_is_left(project: Path, looks: list[str]) -> None:
    (project / FOLDER).write_text("mine", "utf-8")
    assert [asked(), asked()] == [1, 1]
    assert (project / FOLDER).read_text("utf-8") == "mine"


def test_a_folder_that_takes_no_file_costs_nothing_but_time(
    project: Path, looks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(old: str, new: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert [asked(), asked()] == [1, 1]
    assert len(looks) == 2
    assert os.listdir(project / FOLDER) == []


def test_a_file_that_would_get_a_text_is_looked_at_each_time(
    project: Path, looks: list[str]
) -> None:
    (project / "train.py").write_text(TRAIN, "utf-8")
    asked()
    asked()
    assert len(looks) == 2


def test_a_full_folder_loses_its_older_half(
    project: Path, looks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked()
    for number in range(20):
        made = project / FOLDER / f"{number}.json"
        made.write_text("[]", "utf-8")
        os.utime(made, (number, number))
    monkeypatch.setattr(cache_folder, "FULL", 10)
    (project / "train.py").write_text(BLOCKED + "\n", "utf-8")
    asked()
    left = {each.name for each in (project / FOLDER).glob("*.json")}
    assert len(left) == 10
    assert "0.json" not in left
    asked()
    assert len(looks) == 2


def test_git_does_not_see_it(project: Path) -> None:
    subprocess.run(["git", "init", "-q"], check=True)
    asked()
    command = ["git", "status", "--porcelain", "-uall"]
    seen = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert FOLDER not in seen
    assert (project / FOLDER).is_dir()


@pytest.mark.parametrize("kind", _SHAPES, ids=lambda kind: str(kind.__name__))
def test_each_record_has_the_shape_that_is_checked(kind: type[Migration]) -> None:
    """A new field needs its shape here, or nothing is recalled any more."""
    assert len(_SHAPES[kind]) == len(kind._fields)


def test_every_part_of_an_outcome_comes_back() -> None:
    other = Other("data.py", 2, True, Migration("", "Keras", skipped="x", modules=("a",)))
    offer = Offer("A01", "seed", "Seed it.", True, "", (NOTED,))
    seen = Migration(
        "x = 1\n", "Keras", (), (), (NOTED,), (NOTED,), None, (), ("D302",),
        (Suppressed(NOTED, "known", 3),), (offer,), (other,), ("data.py",), ("data.py",),
    )  # fmt: skip
    value = json.loads(json.dumps(packed(seen)))
    assert unpacked(value, "x = 1\n") == seen
    for number in range(len(value)):
        with pytest.raises(BadShape):
            unpacked([*value[:number], {}, *value[number + 1 :]], "")


def test_texts_are_not_kept() -> None:
    step = Step("D101", "import os\n", ((1, 0),))
    assert packed(Migration("", "Keras", steps=(step,))) is None


def test_the_examples_are_told_alike(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the real engine: without a cache, with an empty one, and with a full one."""
    monkeypatch.setattr(codemods, "migrate", real_migrate)
    (here / "pyproject.toml").write_text('[project]\nname = "mine"\n', "utf-8")
    for example in EXAMPLES[::6]:
        (here / example.name).write_bytes(example.read_bytes())
    said = []
    for words in (["--no-cache"], [], []):
        code = asked(".", *words)
        said.append((code, *capsys.readouterr()))
        assert said[-1] == said[0]
    looked: list[str] = []
    monkeypatch.setattr(codemods, "migrate", lambda *asked: looked.append(asked[2]))
    assert (asked("."), *capsys.readouterr()) == said[0]
    assert looked == []


def test_a_new_module_that_a_name_may_mean_is_looked_at(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = "import tensorflow as tf\n\n\ndef net():\n    return tf.keras.Sequential([{}])\n"
    fetch = "import importlib\nimport sys\n\nlib = importlib.import_module('lib.' + sys.argv[1])\n"
    fetch += "import numpy as np\nimport tensorflow as tf\n\nmodel = lib.net()\n"
    fit = "model.compile(tf.keras.optimizers.SGD(0.1), 'mse')\nmodel.fit(x, y, epochs=2)\n"
    data = "x, y = np.load('x.npy'), np.load('y.npy')\n"
    (project / "train.py").write_text(fetch + data + fit, "utf-8")
    (project / "lib").mkdir()
    (project / "lib" / "a.py").write_text(net.format("tf.keras.layers.Dense(1)"), "utf-8")
    assert [asked(), asked()] == [1, 1]
    answers = [path.read_text("utf-8") for path in (project / FOLDER).glob("*.json")]
    (project / "lib" / "b.py").write_text("def net(:\n", "utf-8")
    assert asked() == 1
    assert answers != [path.read_text("utf-8") for path in (project / FOLDER).glob("*.json")]
