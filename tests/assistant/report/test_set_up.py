"""What is still to be installed or activated before a job can start: told by what lies there."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.assistant.report.set_up import HOROVOD, set_up


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project, on a machine whose PATH holds a Python and nothing else."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").touch()
    monkeypatch.chdir(project)
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(executable(tmp_path / "usr" / "bin" / "python3").parent))
    return project


def executable(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def environment(folder: Path, *packages: str) -> Path:
    """One that has these, by the names of their metadata."""
    executable(folder / "bin" / "python")
    (folder / "bin" / "activate").touch()
    for name in packages:
        path = folder / "lib" / "python3.11" / "site-packages" / f"{name}.dist-info"
        path.mkdir(parents=True)
    return folder


def test_nothing_where_jobs_can_be_started(tmp_path: Path) -> None:
    executable(tmp_path / "usr" / "bin" / "horovodrun")
    assert not [*set_up()]


def test_horovod_is_installed_beside_the_python_on_the_path() -> None:
    assert [*set_up()] == [("distify install-horovod", HOROVOD)]


def test_the_environment_that_has_horovod_is_activated(here: Path) -> None:
    environment(here / ".venv", "tensorflow-2.15.1", "horovod-0.28.1")
    assert [*set_up()] == [("source .venv/bin/activate", "")]


def test_nothing_is_activated_that_is_active(
    here: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environment(here / ".venv", "tensorflow-2.15.1", "horovod-0.28.1")
    monkeypatch.setenv("PATH", f"{here / '.venv' / 'bin'}:{tmp_path / 'usr' / 'bin'}")
    assert not [*set_up()]


def test_horovod_is_built_where_tensorflow_is(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The active environment lacks it, the project's has it."""
    monkeypatch.setenv("VIRTUAL_ENV", str(environment(tmp_path / "active")))
    environment(here / ".venv", "tensorflow_cpu-2.15.1")
    install, activate = [command for command, _ in set_up()]
    assert install == "distify install-horovod --python .venv"
    assert activate == "source .venv/bin/activate"


def test_without_a_script_the_path_is_exported(here: Path) -> None:
    """As in the environments of pixi."""
    folder = environment(here / ".pixi" / "envs" / "default", "horovod-0.28.1")
    (folder / "bin" / "activate").unlink()
    assert [*set_up()] == [(f'export PATH={folder / "bin"}:"$PATH"', "")]


def test_the_systems_python_is_left_alone(tmp_path: Path) -> None:
    """Debian's, Fedora's and Homebrew's take no packages: an environment is made first."""
    (tmp_path / "usr" / "lib" / "python3.11").mkdir(parents=True)
    (tmp_path / "usr" / "lib" / "python3.11" / "EXTERNALLY-MANAGED").touch()
    assert [command for command, _ in set_up()] == [
        "python3 -m venv .venv",
        "distify install-horovod --python .venv",
        "source .venv/bin/activate",
    ]


def test_a_folder_with_a_blank_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VIRTUAL_ENV", str(environment(tmp_path / "my env", "horovod-0.28.1")))
    assert [*set_up()] == [("source '../my env/bin/activate'", "")]


def test_nothing_is_run(here: Path) -> None:
    (environment(here / ".venv") / "bin" / "python").write_text("#!/bin/sh\ntouch was-run\n")
    assert [*set_up()]
    assert not (here / "was-run").exists()


def test_a_notebook_needs_what_makes_a_script_of_it(tmp_path: Path) -> None:
    executable(tmp_path / "usr" / "bin" / "horovodrun")
    assert [command for command, _ in set_up(True)] == ["python -m pip install nbconvert ipython"]
    for name in ("jupyter", "ipython"):
        executable(tmp_path / "usr" / "bin" / name)
    assert not [*set_up(True)]
