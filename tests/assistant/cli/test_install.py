"""`distify install-horovod` looks first, shows its commands, asks, and runs them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from distify.assistant import install_horovod as building
from distify.assistant.cli.commands import distify

from ..verify.test_setting import python as python_with


def call(*arguments: str, text: str = "") -> Result:
    return CliRunner().invoke(distify, ["install-horovod", *arguments], input=text)


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The Pythons that Horovod is built for, and the TensorFlow that is installed first."""
    built: list[tuple[str, str]] = []
    monkeypatch.setattr(building, "install", lambda *given: built.append(given))
    monkeypatch.setattr(building, "has_compiler", lambda: True)
    return built


@pytest.fixture
def env(tmp_path: Path) -> str:
    """A Python that has TensorFlow."""
    return str(python_with(tmp_path / "env", {"tensorflow": "2.15.1"}))


@pytest.mark.parametrize(
    ("arguments", "text"), [(["--dry-run"], ""), (["--dry-run", "--yes"], ""), ([], "n\n")]
)
def test_the_commands_are_shown_and_not_run(
    built: list[tuple[str, str]], env: str, arguments: list[str], text: str
) -> None:
    result = call("--python", env, *arguments, text=text)
    assert result.exit_code == 0
    assert "# leave out its XLA operations\n" in result.output
    assert f"horovod=={building.HOROVOD}" in result.output
    assert built == []


@pytest.mark.parametrize(("arguments", "text"), [(["-y"], ""), ([], "y\n")])
def test_they_are_run_when_a_person_says_so(
    built: list[tuple[str, str]], env: str, arguments: list[str], text: str
) -> None:
    assert call("--python", env, *arguments, text=text).exit_code == 0
    assert built == [(env, "")]


def test_what_fails_is_told() -> None:
    result = call("--python", "/no/such/python", "--yes")
    assert result.exit_code == 2
    assert "/no/such/python can't be run" in result.output


def test_without_tensorflow_both_are_offered_before_anything_is_run(
    built: list[tuple[str, str]], tmp_path: Path
) -> None:
    bare = str(python_with(tmp_path / "bare", {}))
    result = call("--python", bare, text="n\n")
    assert "has no TensorFlow, which Horovod is compiled for: both are installed" in result.output
    version = "2.15.1" if sys.version_info < (3, 12) else "2.20.0"
    lines = result.output.splitlines()
    assert f"install tensorflow=={version}" in lines[lines.index("# install TensorFlow") + 1]
    assert built == []
    assert call("--python", bare, "--yes").exit_code == 0
    assert built == [(bare, version)]


@pytest.mark.parametrize("version", ["3.8.10", "3.14.0"])
def test_a_python_without_a_tensorflow_is_refused_at_once(
    built: list[tuple[str, str]], tmp_path: Path, version: str
) -> None:
    path = tmp_path / "python"
    found = f'{{"python": "{version}", "tensorflow": null}}'
    path.write_text(f"#!/bin/sh\necho '{found}'\n")
    path.chmod(0o755)
    result = call("--python", str(path), "--yes")
    assert result.exit_code == 2
    assert f"is known to work with for Python {version}" in " ".join(result.output.split())
    assert built == []


def test_the_systems_python_is_refused_before_pip_refuses_it(
    built: list[tuple[str, str]], tmp_path: Path
) -> None:
    path = tmp_path / "python"
    found = '{"python": "3.11.2", "tensorflow": null, "managed": true}'
    path.write_text(f"#!/bin/sh\necho '{found}'\n")
    path.chmod(0o755)
    result = call("--python", str(path), "--yes")
    assert result.exit_code == 2
    assert "  python3 -m venv .venv\n" in result.output
    assert built == []


def test_without_a_compiler_nothing_is_begun(
    built: list[tuple[str, str]], env: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("CXX", raising=False)
    result = call("--python", env, "--yes")
    assert result.exit_code == 2
    assert "no C++ compiler" in result.output
