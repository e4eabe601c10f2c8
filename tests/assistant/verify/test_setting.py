"""Which Python runs the program, and what is said where none can."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from distify.assistant.interpreter import command
from distify.assistant.verify.run import program_python
from distify.assistant.verify.run.installed import SettingProblem
from distify.assistant.verify.run.job import Job

WITH_EVERYTHING = {"tensorflow": "2.15.1", "horovod": "0.28.1", "keras": "2.15.0"}


def python(
    folder: Path, installed: dict[str, str], binding: bool = True, library: bytes = b""
) -> Path:
    """A Python in which these packages are installed, as far as one can see from outside."""
    packages = folder / "packages"
    for name, version in installed.items():
        (packages / name).mkdir(parents=True)
        (packages / name / "__init__.py").write_text("raise SystemExit('was imported')\n")
        information = packages / f"{name}-{version}.dist-info"
        information.mkdir()
        (information / "METADATA").write_text(f"Name: {name}\nVersion: {version}\n")
    if "horovod" in installed and binding:
        (packages / "horovod" / "tensorflow").mkdir()
        (packages / "horovod" / "tensorflow" / "mpi_lib.abi3.so").write_bytes(library)
    path = folder / "bin" / "python"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\nPYTHONPATH={packages} exec {sys.executable} "$@"\n')
    path.chmod(0o755)
    return path


def launcher(folder: Path) -> Path:
    path = folder / "bin" / "horovodrun"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "here").mkdir()
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PATH", os.defpath)
    path = tmp_path / "here" / "train.py"
    path.write_text("")
    return path


def on_path(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    paths = [str(folder / "bin") for folder in folders]
    monkeypatch.setenv("PATH", os.pathsep.join([*paths, os.defpath]))


def test_the_python_that_was_named(tmp_path: Path, script: Path) -> None:
    path = python(tmp_path / "env", WITH_EVERYTHING)
    found = program_python.find(Job(script, python=str(path)))
    assert found.python == str(path)
    assert found.tensorflow == "2.15.1"
    assert found.horovod == "0.28.1"
    assert found.keras == "2.15.0"
    assert found.tf_keras is None
    assert found.python_version == sys.version.split()[0]


@pytest.mark.parametrize(
    ("library", "controllers", "controller"),
    [
        (b"..14GlooControllerE..", ("gloo",), "gloo"),
        (b"..13MPIControllerE..", ("mpi",), "mpi"),
        (b"..13MPIControllerE..14GlooControllerE..", ("gloo", "mpi"), "gloo"),
        (b"stripped", (), "gloo"),  # horovodrun will find out
        (b"", (), "gloo"),
    ],
)
def test_what_horovod_was_built_with(
    tmp_path: Path, script: Path, library: bytes, controllers: tuple[str, ...], controller: str
) -> None:
    path = python(tmp_path / "env", WITH_EVERYTHING, library=library)
    found = program_python.find(Job(script, python=str(path)))
    assert (found.controllers, found.controller) == (controllers, controller)


@pytest.mark.parametrize("form", ["{folder}", "{folder}/bin/python"])
def test_the_folder_of_an_environment_will_do(tmp_path: Path, script: Path, form: str) -> None:
    path = python(tmp_path / "env", WITH_EVERYTHING)
    found = program_python.find(Job(script, python=form.format(folder=tmp_path / "env")))
    assert found.python == str(path)


def test_a_name_on_path_will_do(
    tmp_path: Path, script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = python(tmp_path / "env", WITH_EVERYTHING)
    on_path(monkeypatch, tmp_path / "env")
    assert program_python.find(Job(script, python="python")).python == str(path)


def test_the_launcher_beside_it_or_its_module(tmp_path: Path, script: Path) -> None:
    path = python(tmp_path / "env", WITH_EVERYTHING)
    module = command("horovod.runner.launch", "run_commandline", str(path))
    assert program_python.find(Job(script, python=str(path))).horovodrun == module
    beside = launcher(tmp_path / "env")
    assert program_python.find(Job(script, python=str(path))).horovodrun == (str(beside),)


def test_the_python_beside_horovodrun_comes_first(
    tmp_path: Path, script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python(tmp_path / "first", WITH_EVERYTHING)
    path = python(tmp_path / "second", WITH_EVERYTHING)
    launcher(tmp_path / "second")
    on_path(monkeypatch, tmp_path / "first", tmp_path / "second")
    assert program_python.find(Job(script)).python == str(path)


def test_one_that_has_both_is_taken_where_the_first_has_not(
    tmp_path: Path, script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python(tmp_path / "first", {"tensorflow": "2.15.1"})
    path = python(tmp_path / "own", WITH_EVERYTHING)
    on_path(monkeypatch, tmp_path / "first")
    monkeypatch.setattr(sys, "executable", str(path))
    assert program_python.find(Job(script)).python == str(path)


def test_the_first_is_complained_about_where_none_will_do(
    tmp_path: Path, script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = python(tmp_path / "first", {"tensorflow": "2.15.1"})
    on_path(monkeypatch, tmp_path / "first")
    with pytest.raises(SettingProblem) as problem:
        program_python.find(Job(script))
    assert str(problem.value).startswith(f"{path} has no Horovod")


@pytest.mark.parametrize(
    ("installed", "binding", "said"),
    [
        ({}, True, "has no TensorFlow and no Horovod"),
        ({"tensorflow": "2.15.1"}, True, "has no Horovod"),
        ({"tensorflow": "2.20.0"}, True, "has no Horovod"),
        ({"horovod": "0.28.1"}, True, "has no TensorFlow"),
        (WITH_EVERYTHING, False, "has a Horovod without TensorFlow support"),
    ],
)
def test_what_is_missing_is_said_with_the_command_that_installs_it(
    tmp_path: Path, script: Path, installed: dict[str, str], binding: bool, said: str
) -> None:
    path = python(tmp_path / "env", installed, binding)
    with pytest.raises(SettingProblem) as problem:
        program_python.find(Job(script, python=str(path)))
    what, command, _ = str(problem.value).splitlines()
    assert what.startswith(f"{path} {said}. Install it there")
    assert command == f"  distify install-horovod --python {path}"


def test_keras_3_can_be_verified(tmp_path: Path, script: Path) -> None:
    installed = {**WITH_EVERYTHING, "tensorflow": "2.20.0", "keras": "3.15.1"}
    path = python(tmp_path / "env", installed)
    assert program_python.find(Job(script, python=str(path))).keras == "3.15.1"


def test_tf_keras_is_enough_for_a_new_tensorflow(tmp_path: Path, script: Path) -> None:
    installed = {"tensorflow": "2.18.1", "horovod": "0.28.1", "tf_keras": "2.18.0"}
    path = python(tmp_path / "env", installed)
    assert program_python.find(Job(script, python=str(path))).tf_keras == "2.18.0"


def test_nothing_of_the_current_folder_is_asked_or_run(tmp_path: Path, script: Path) -> None:
    for name in ("tensorflow", "horovod", "json", "glob", "keras"):
        script.with_name(f"{name}.py").write_text("open('was-run', 'w')\n")
    path = python(tmp_path / "env", {})
    with pytest.raises(SettingProblem, match="has no TensorFlow and no Horovod"):
        program_python.find(Job(script, python=str(path)))
    assert not script.with_name("was-run").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#!/bin/sh\necho broken >&2\nexit 3\n", "can't be run: broken"),
        ("#!/bin/sh\nexit 3\n", "can't be run: exit code 3"),
        ("#!/bin/sh\necho hello\n", "can't be run"),
        ("#!/nowhere/python\n", "can't be run"),
    ],
)
def test_a_python_that_is_none(tmp_path: Path, script: Path, text: str, said: str) -> None:
    path = tmp_path / "python"
    path.write_text(text)
    path.chmod(0o755)
    with pytest.raises(SettingProblem, match=said):
        program_python.find(Job(script, python=str(path)))


def test_scripts_that_are_none(tmp_path: Path, script: Path) -> None:
    closed = script.with_name("closed.py")
    with pytest.raises(SettingProblem, match=r"missing\.py does not exist"):
        program_python.find(Job(script.with_name("missing.py")))
    with pytest.raises(SettingProblem, match="is a folder"):
        program_python.find(Job(tmp_path))
    with pytest.raises(SettingProblem, match=r"missing\.py does not exist"):
        program_python.find(Job(script, baseline=script.with_name("missing.py")))
    closed.write_text("")
    closed.chmod(0)
    if not os.access(closed, os.R_OK):  # root may read everything
        with pytest.raises(SettingProblem, match="can't be read"):
            program_python.find(Job(closed))


@pytest.mark.parametrize(
    ("version", "wanted", "is_it"),
    [
        ("2.16.0", (2, 16), True),
        ("2.18.1", (2, 16), True),
        ("2.15.1", (2, 16), False),
        ("3.0", (2, 16), True),
        ("2.9.3", (2, 16), False),
        ("of an unknown version", (2, 16), False),
    ],
)
def test_versions(version: str, wanted: tuple[int, ...], is_it: bool) -> None:
    assert program_python.at_least(version, *wanted) is is_it
