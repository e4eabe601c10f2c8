"""A checkout holds folders by the names of modules: none of them is imported."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from distify.assistant import install_horovod, interpreter

from .conftest import TRAIN, Checkout

NAMES = ("pip", "setuptools", "distify", "horovod", "json", "subprocess", "tarfile", "click", "git")


@pytest.fixture
def trapped(checkout: Checkout) -> Checkout:
    """Whatever is imported of it leaves a trace outside, which the fixture below would see."""
    trap = f"open({str(checkout.outside / 'ran')!r}, 'w').write(__name__)\n"
    for name in NAMES:
        checkout.write(f"{name}/__init__.py", trap)
        checkout.write(f"{name}/__main__.py", trap)
        checkout.write(f"{name}.py", trap)
    return checkout


def test_horovod_is_built_with_pip_itself(trapped: Checkout, tmp_path: Path) -> None:
    """Without a network it fails, at the first step of pip's own."""
    answer = trapped(
        *("install-horovod", "--yes", "--python", sys.executable),
        env={"PIP_NO_INDEX": "1", "PIP_REQUIRE_VIRTUALENV": "1", "VIRTUAL_ENV": ""},
    )
    assert answer.code == 2
    assert "exit code" in answer.words


def test_each_step_runs_elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folders: list[str | None] = []

    def noted(command: object, env: object, cwd: str | None, check: bool) -> object:
        folders.append(cwd)
        return type("Done", (), {"returncode": 0})

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("subprocess.run", noted)
    install_horovod.install(sys.executable)
    install_horovod.check(sys.executable)
    assert len(folders) == 6
    assert all(each and Path(each) != tmp_path for each in folders)


def test_distify_starts_itself_and_others_past_the_current_folder(trapped: Checkout) -> None:
    answer = trapped.run(*interpreter.command("distify.assistant.__main__", "main"), "--version")
    assert answer.output.startswith("distify ")


@pytest.mark.parametrize(
    "command",
    [
        ("check", "a.py"),
        ("migrate", "--commit", "a.py"),
        ("undo",),
        ("verify", "a.py"),
        ("doctor",),
        ("pr", "--dry-run"),
        ("install-horovod", "--dry-run"),
    ],
    ids=lambda each: each[0],
)
def test_no_command_imports_them(trapped: Checkout, command: tuple[str, ...]) -> None:
    trapped.commit(a_py=TRAIN)
    python = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    trapped(*command, env=python)
