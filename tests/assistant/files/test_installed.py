"""Which TensorFlow is installed, by its metadata alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.assistant.files import config, project_packages, requirements

from ..conftest import TRAIN, Call

PACKAGES = {"posix": "lib/python3.11/site-packages", "nt": "Lib/site-packages"}


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.setattr("sys.prefix", str(tmp_path / "nothing"))
    requirements.tensorflow.cache_clear()


def environment(folder: Path, name: str, form: str = "posix") -> Path:
    """An environment in which that is installed, and would end who imports it."""
    packages = folder / PACKAGES[form]
    (packages / name).mkdir(parents=True)
    (packages / "tensorflow.py").write_text("raise SystemExit('imported')\n")
    return folder


@pytest.mark.parametrize("form", PACKAGES)
@pytest.mark.parametrize("folder", [".venv", "venv"])
@pytest.mark.parametrize("package", ["tensorflow", "tensorflow_cpu", "intel_tensorflow"])
def test_the_environment_of_a_project(here: Path, package: str, folder: str, form: str) -> None:
    environment(here / folder, f"{package}-2.20.0.dist-info", form)
    asked = requirements.tensorflow(str(here))
    assert (asked.version, asked.why) == ((2, 20), f"it is installed in {here / folder}")


@pytest.mark.parametrize(
    "name",
    ["tensorflow_datasets-4.9.4.dist-info", "tensorflow", "keras-3.15.1.dist-info",
     "tensorflow-2.20.0.dist-info.old", "my_tensorflow-2.20.0.dist-info"],
)  # fmt: skip
def test_what_is_no_tensorflow_says_nothing(here: Path, name: str) -> None:
    environment(here / ".venv", name)
    assert requirements.tensorflow(str(here)) == ((2, 15), "", ())


def test_the_active_environment_comes_first(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment(here / ".venv", "tensorflow-2.18.1.dist-info")
    active = environment(here.parent / "active", "tensorflow-2.21.0.dist-info")
    monkeypatch.setenv("VIRTUAL_ENV", str(active))
    assert project_packages.tensorflow([str(here)]) == ((2, 21), str(active))


def test_distifys_own_environment_comes_last(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = environment(here.parent / "own", "tensorflow-2.16.2.dist-info")
    monkeypatch.setattr("sys.prefix", str(own))
    assert project_packages.tensorflow([str(here)]) == ((2, 16), str(own))
    environment(here / ".venv", "tensorflow-2.18.1.dist-info")
    assert project_packages.tensorflow([str(here)]) == ((2, 18), str(here / ".venv"))


def test_requirements_come_before_what_is_installed(here: Path) -> None:
    environment(here / ".venv", "tensorflow-2.20.0.dist-info")
    (here / "requirements.txt").write_text("tensorflow==2.15\n")
    asked = requirements.tensorflow(str(here))
    assert (asked.version, asked.why) == ((2, 15), "requirements.txt asks for it")


def test_requirements_without_a_version_leave_it_to_what_is_installed(here: Path) -> None:
    environment(here / ".venv", "tensorflow-2.20.0.dist-info")
    (here / "requirements.txt").write_text("tensorflow\n")
    assert requirements.tensorflow(str(here)).version == (2, 20)


@pytest.mark.parametrize(("settings", "keras"), [("", " and Keras 3"), ('keras = "legacy"', "")])
def test_the_summary_says_which_and_why(call: Call, here: Path, settings: str, keras: str) -> None:
    environment(here / ".venv", "tensorflow-2.20.0.dist-info")
    (here / "train.py").write_text(TRAIN)
    (here / "pyproject.toml").write_text(f"[tool.distify]\n{settings}\n")
    said = " ".join(call("check", "train.py").stdout.split())
    assert f"Written for TensorFlow 2.20{keras}: it is installed in" in said
    said = call("check", "--tensorflow", "2.16", "train.py").stdout
    assert f"Written for TensorFlow 2.16{keras}: the command line asks for it." in said
    (here / "pyproject.toml").write_text(f'[tool.distify]\ntensorflow = "2.17"\n{settings}\n')
    for table in (config.settings, config.table, config.tools):
        table.cache_clear()
    said = call("check", "train.py").stdout
    assert f"Written for TensorFlow 2.17{keras}: pyproject.toml asks for it" in said


def test_where_nobody_asks_it_is_said_that_the_version_is_a_guess(call: Call, here: Path) -> None:
    (here / "train.py").write_text(TRAIN)
    (here / "plain.py").write_text("x = 1\n")
    assert "Written for TensorFlow 2.15: a guess" in call("check", "train.py").stdout
    assert "Written for" not in call("check", "plain.py").stdout
