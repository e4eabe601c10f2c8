"""What is named to be tried next, once files are written."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from distify.assistant.report.summary import Arguments, next_step
from distify.assistant.verify.launch import started_as
from distify.codemods.model import Due, Migration

PROVE = "Prove it:  distify verify train.py -np 2"
JOB = "Train:     horovodrun -np 2 python train.py"
ELSEWHERE = "Elsewhere: distify launch-lines train.py -np 8 --gpus-per-node 4"
ELSEWHERE += "  # Slurm, MPI, Kubernetes, Ray"
ALONE = "Train:     python train.py"


def said(after: bytes, *codes: str) -> list[str]:
    """The lines for one file, rewritten by these rules."""
    migration = Migration("", "Keras", unmade=tuple(Due(code, ()) for code in codes))
    outcome: Any = SimpleNamespace(
        name="train.py", changed=True, source=None, migration=migration, after=after
    )
    lines = next_step([outcome], Arguments((), ()), written=True)
    texts = ["".join(span.text for span in line) for line in lines]
    return [
        text for text in texts[texts.index("", 1) if "With N workers" in texts else 0 :] if text
    ]


@pytest.mark.parametrize(
    ("after", "codes", "lines"),
    [
        (b"import horovod", ("D101",), [PROVE, JOB, ELSEWHERE]),
        (b"import horovod", ("D101", "D501"), [PROVE, JOB, ELSEWHERE]),
        (b"import horovod", ("D501",), [PROVE, JOB, ELSEWHERE]),
        (b"import tensorflow", ("D501",), [ALONE]),
    ],
)
def test_a_program_without_workers_is_trained_by_python(
    after: bytes, codes: tuple[str, ...], lines: list[str]
) -> None:
    assert said(after, *codes) == lines


def told(name: str) -> list[str]:
    migration = Migration("", "Keras", unmade=(Due("D104", ()),))
    outcome: Any = SimpleNamespace(
        name=name, changed=True, source=None, migration=migration, after=b"import horovod"
    )
    lines = next_step([outcome], Arguments((), ()), written=True)
    return ["".join(span.text for span in line) for line in lines][1:]


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
