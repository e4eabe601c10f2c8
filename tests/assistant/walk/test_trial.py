"""What is tried runs in a copy: nothing of the project changes, and large data is not copied."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from distify.assistant.files.discovery import Target
from distify.assistant.files.outcome import Outcome
from distify.assistant.walk import trial
from distify.codemods.model import Migration, Step


class Run:
    """Stands in for the process: looks at the copy while it is there."""

    def __init__(self) -> None:
        self.command: list[str] = []
        self.cwd = ""
        self.files: dict[str, bytes] = {}
        self.links: set[str] = set()

    def __call__(self, command: Sequence[str], cwd: str, **_: Any) -> Any:
        self.command, self.cwd = list(command[3:]), cwd
        for folder, _, names in os.walk(Path(cwd).parent):
            for name in names:
                path = Path(folder) / name
                self.files[str(path.relative_to(Path(cwd).parent))] = path.read_bytes()
                self.links |= {name} if path.is_symlink() else set()
        (Path(cwd) / "train.py").write_text("the program wrote this")
        (Path(cwd) / "model.keras").write_text("and this")
        return subprocess.CompletedProcess(command, 1)


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Run:
    run = Run()
    monkeypatch.setattr(subprocess, "run", run)
    return run


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    for folder in (".git", "venv", "src", "__pycache__"):
        (root / folder).mkdir(parents=True)
    (root / "venv" / "pyvenv.cfg").touch()
    (root / ".git" / "config").touch()
    (root / "src" / "train.py").write_text("old")
    (root / "small.npy").write_text("small")
    (root / "large.npy").write_bytes(b"x" * (trial.LARGEST + 1))
    os.mkfifo(root / "pipe")
    monkeypatch.chdir(root / "src")
    return root


def outcome(path: Path) -> Outcome:
    made = Migration("old", "", steps=(Step("D101", "new", ()),)).stamped
    return Outcome(Target("train.py", str(path)), None, made, b"new")


def test_the_file_runs_where_the_walk_does_in_a_copy_of_its_repository(
    project: Path, ran: Run
) -> None:
    before = sorted(project.rglob("*"))
    assert trial.run(outcome(project / "src" / "train.py"), ["--epochs", "1"]) == 1
    assert ran.command == ["verify", "--limit-steps", "20", "train.py", "--", "--epochs", "1"]
    assert Path(ran.cwd).name == "src"
    assert sorted(ran.files) == ["large.npy", "small.npy", "src/train.py"]
    assert ran.files["src/train.py"] == b"new"
    assert ran.links == {"large.npy"}
    assert sorted(project.rglob("*")) == before
    assert (project / "src" / "train.py").read_text() == "old"
    assert not os.path.exists(ran.cwd)


def test_a_file_elsewhere_is_tried_in_a_copy_of_its_folder(
    project: Path, ran: Run, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "train.py").write_text("old")
    trial.run(outcome(tmp_path / "elsewhere" / "train.py"), [])
    assert Path(ran.cwd).name == "elsewhere"
    assert ran.files["elsewhere/train.py"] == b"new"
