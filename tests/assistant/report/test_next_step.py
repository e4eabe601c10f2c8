"""What is named to be done next: the commands work from here, in that order."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from distify.assistant.cli import migrate as migrate_command
from distify.assistant.files.discovery import Target
from distify.assistant.files.outcome import Outcome
from distify.assistant.report.next_steps import Arguments, Next, lines, next_steps
from distify.assistant.verify.run.launch import started_as
from distify.codemods.model import Due, Migration

from ..conftest import Call

PROVE = "Prove it:  distify verify train.py -np 2"
JOB = "Train:     horovodrun -np 2 python train.py"
ELSEWHERE = "Elsewhere: distify launch-lines train.py -np 8 --gpus-per-node 4"
ELSEWHERE += "  # Slurm, MPI, Kubernetes, Ray"
ALONE = "Train:     python train.py"


def texts(outcomes: list[Outcome]) -> list[str]:
    """The lines for files that were written."""
    found = lines(next_steps(outcomes, Arguments((), ()), True, {}), None)
    return ["".join(span.text for span in line) for line in found][1:]


def said(after: bytes, *codes: str) -> list[str]:
    """The lines for one file, rewritten by these rules."""
    migration = Migration("", "Keras", unmade=tuple(Due(code, ()) for code in codes))
    outcome: Any = SimpleNamespace(
        name="train.py", changed=True, blocked=False, source=None, migration=migration, after=after,
        target=Target("train.py", "/train.py"),
    )  # fmt: skip
    return texts([outcome])


@pytest.mark.parametrize(
    ("after", "codes", "expected"),
    [
        (b"import horovod", ("D101",), [PROVE, JOB, ELSEWHERE]),
        (b"import horovod", ("D101", "D501"), [PROVE, JOB, ELSEWHERE]),
        (b"import horovod", ("D501",), [PROVE, JOB, ELSEWHERE]),
        (b"import tensorflow", ("D501",), [ALONE]),
    ],
)
def test_a_program_without_workers_is_trained_by_python(
    after: bytes, codes: tuple[str, ...], expected: list[str]
) -> None:
    assert said(after, *codes) == expected


def told(name: str) -> list[str]:
    migration = Migration("", "Keras", unmade=(Due("D104", ()),))
    outcome: Any = SimpleNamespace(
        name=name, changed=True, blocked=False, source=None, migration=migration,
        after=b"import horovod", target=Target(name, str(Path(name).absolute())),
    )  # fmt: skip
    return texts([outcome])


def test_what_imports_relatively_is_started_as_a_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the folder above its package; a command of the project by its name."""
    package = tmp_path / "src" / "p"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "train.py").write_text("from . import data\n")
    (package / "__main__.py").write_text("from .train import main\n")
    (package / "plain.py").write_text("import data\n")
    (package / "cli.py").write_text("from .train import main\n")
    (tmp_path / "pyproject.toml").write_text('[project.scripts]\nlearn = "p.cli:main"\n')
    monkeypatch.chdir(tmp_path)
    assert told("src/p/train.py") == [
        "Prove it:  cd src && distify verify p/train.py -np 2",
        "Train:     cd src && horovodrun -np 2 python -m p.train",
        "Elsewhere: cd src && distify launch-lines p/train.py -np 8 --gpus-per-node 4"
        "  # Slurm, MPI, Kubernetes, Ray",
    ]
    assert told("src/p/plain.py")[1] == "Train:     horovodrun -np 2 python src/p/plain.py"
    assert told("src/p/cli.py") == ["Train:     horovodrun -np 2 learn"]
    assert started_as(Path("src/p/train.py")) == ["-m", "p.train"]  # verify adds the folder
    (tmp_path / "pyproject.toml").unlink()
    assert started_as(Path("src/p/train.py")) == ["src/p/train.py"]  # it isn't found from here
    monkeypatch.chdir(tmp_path / "src")
    assert told("p/train.py")[1] == "Train:     horovodrun -np 2 python -m p.train"
    assert told("p/__main__.py")[1] == "Train:     horovodrun -np 2 python -m p"
    assert started_as(Path("p/train.py")) == ["-m", "p.train"]
    assert started_as(Path("p/plain.py")) == ["p/plain.py"]


REFUSED = Path(__file__).resolve().parents[3] / "examples" / "refused"
LIBRARY = """\
import tensorflow as tf


def build():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
"""
ENTRY = """\
import numpy as np

from model import build

x = np.load("x.npy")
build().fit(x, x)
"""


@pytest.fixture
def real(monkeypatch: pytest.MonkeyPatch, here: Path) -> Path:
    """A folder for the engine itself."""
    monkeypatch.undo()
    monkeypatch.chdir(here)
    return here


def commands(call: Call, *words: str) -> list[tuple[str, list[str]]]:
    """The purpose of each command that is named, and its words."""
    document = json.loads(call(*words, "--format", "json").stdout)
    found = document.get("next", ())
    return [(each["purpose"], shlex.split(each["command"])) for each in found]


@pytest.mark.slow
def test_the_commands_that_are_named_repair_what_can_be_repaired(call: Call, real: Path) -> None:
    """Files of eleven reasons, most of which hide others: one command a file, and all is done."""
    (real / "a b").mkdir()
    for path in REFUSED.glob("*.py"):
        (real / "a b" / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    named = commands(call, "check", "a b")
    assert [purpose for purpose, _ in named] == ["repair"] * 5
    for _, words in named:
        assert words[:3] == ["distify", "migrate", "--repair"]
        assert call(*words[1:]).exit_code == 0, words
    assert all("horovod" in path.read_text() for path in (real / "a b").iterdir())
    assert commands(call, "check", "a b") == []


def test_a_repair_that_leaves_others_is_told_as_such_and_writes_nothing(
    call: Call, real: Path
) -> None:
    text = (REFUSED / "strategy.py").read_text(encoding="utf-8")
    text += "\nmodel.fit_unknown = None\nwhile True:\n    model.fit(x, x)\n"
    (real / "train.py").write_text(text, encoding="utf-8")
    ((_, words),) = [each for each in commands(call, "check", "train.py") if each[0] == "repair"]
    assert words[1] in ("check", "migrate")
    code = call(*words[1:]).exit_code
    assert (code == 0) == (words[1] == "migrate")


def test_what_a_program_imports_is_not_started(call: Call, real: Path) -> None:
    (real / "model.py").write_text(LIBRARY)
    (real / "train.py").write_text(ENTRY)
    named = commands(call, "check", ".")
    assert [purpose for purpose, _ in named] == ["see", "apply", "prove", "train", "elsewhere"]
    assert [words for purpose, words in named if purpose in ("prove", "train")] == [
        ["distify", "verify", "train.py", "-np", "2"],
        ["horovodrun", "-np", "2", "python", "train.py"],
    ]
    for purpose, words in named[:2]:
        assert call(*words[1:]).exit_code == int(purpose == "see")


def test_all_reports_say_the_same(call: Call, real: Path) -> None:
    (real / "train.py").write_text((REFUSED / "strategy.py").read_text(encoding="utf-8"))
    (real / "model.py").write_text(LIBRARY)
    (real / "run.py").write_text(ENTRY)
    told = [" ".join(words) for _, words in commands(call, "check", "train.py", "run.py")]
    for form in ("text", "html", "markdown"):
        said = call("check", "--format", form, "train.py", "run.py").stdout
        at = [said.index(each) for each in told]
        assert at == sorted(at), form


@pytest.mark.parametrize("width", [80, None])
def test_a_remark_stands_where_there_is_room(width: int | None) -> None:
    found = [Next("apply", "distify migrate " + "x" * 40, "y" * 20)]
    (line,) = ["".join(span.text for span in line) for line in lines(found, width)][1:]
    assert line.endswith("y") == (width is None)


def test_verify_runs_behind_what_was_written(
    call: Call, real: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run: list[tuple[list[str], str | None]] = []

    def started(command: list[str], cwd: str | None, check: bool) -> SimpleNamespace:
        assert "horovod" in (real / "src" / "p" / "train.py").read_text()
        run.append((command[-4:], cwd))
        return SimpleNamespace(returncode=1)

    monkeypatch.setattr(migrate_command.subprocess, "run", started)
    package = real / "src" / "p"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "model.py").write_text(LIBRARY)
    (package / "train.py").write_text(ENTRY.replace("from model", "from .model"))
    assert call("migrate", "--verify", "src").exit_code == 1
    assert run == [(["verify", str(Path("p/train.py")), "-np", "2"], "src")]


@pytest.mark.parametrize("more", [["--diff"], ["--check"], ["--output-dir", "out"]])
def test_verify_needs_what_was_written(call: Call, here: Path, more: list[str]) -> None:
    (here / "train.py").write_text("x = 1\n")
    assert call("migrate", "--verify", *more, "train.py").exit_code == 2
    assert "--verify runs what was written" in call("migrate", "--verify", *more, ".").stderr


def test_repairs_that_were_asked_for_stand_in_the_same_option() -> None:
    given = Arguments(("--tensorflow", "2.18", "--repair", "A00"), ("a.py", "b.py"))
    assert str(given.repaired(["A04", "A00"], ["a.py"])) == (
        "--tensorflow 2.18 --repair A00,A04 a.py"
    )
    assert str(Arguments((), ("a.py",)).repaired(["A04"], ["my a.py"])) == "--repair A04 'my a.py'"
