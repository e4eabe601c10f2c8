"""Which TensorFlow a project asks for."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from distify.assistant.files.requirements import tensorflow
from distify.assistant.files.version_specifiers import closest


@pytest.mark.parametrize(
    ("specifier", "version"),
    [
        ("==2.12.1", (2, 12)),
        ("== 2.12", (2, 12)),
        ("===2.9.0", (2, 9)),
        ("==2.*", (2, 15)),
        ("~=2.12.0", (2, 12)),
        ("~=2.12", (2, 15)),
        ("~=2.17", (2, 17)),
        (">=2.10", (2, 15)),
        (">=2.10,<2.13", (2, 12)),
        (">=2.10,<2.13.1", (2, 13)),
        (">=2.10,<3", (2, 15)),
        (">=2.16", (2, 16)),
        ("<2.11", (2, 10)),
        ("<=2.11", (2, 11)),
        (">=2.8, !=2.9.*, <2.12", (2, 11)),
        ("^2.10", (2, 15)),
        ("2.13.0", (2, 13)),
        (">=2.14,!=2.15.*,<2.17", (2, 14)),
        ("!=2.15.*,>=2.15", (2, 16)),
        (">2.15.1,<2.15.3", (2, 15)),
        ("<2", (1, 99)),
        ("~2.14", (2, 14)),
        ("=2.12", (2, 12)),
        ("==2.12rc1", (2, 12)),
        (">=2.17,<2.10", None),
        ("!=2.15", None),
        ("", None),
    ],
)
def test_the_version_nearest_to_ours_that_is_allowed(
    specifier: str, version: tuple[int, int] | None
) -> None:
    assert closest(specifier) == version


@pytest.mark.parametrize(
    ("file", "text", "version"),
    [
        ("requirements.txt", "numpy\ntensorflow==2.11.0  # pinned\n", (2, 11)),
        ("requirements.txt", "tensorflow-gpu>=2.4,<2.9\n", (2, 8)),
        ("requirements.txt", "TensorFlow_CPU == 2.10 ; python_version > '3.7'\n", (2, 10)),
        ("requirements.txt", "tensorflow[and-cuda]==2.17.0\n", (2, 17)),
        ("requirements-dev.txt", "tensorflow==2.13\n", (2, 13)),
        (
            "pyproject.toml",
            '[project]\ndependencies = ["six", "tensorflow>=2.16,<2.18"]\n',
            (2, 16),
        ),
        ("pyproject.toml", '[tool.poetry.dependencies]\ntensorflow = "~2.14"\n', (2, 14)),
        (
            "pyproject.toml",
            '[tool.poetry.dependencies]\ntensorflow = {version = "2.9.1"}\n',
            (2, 9),
        ),
        ("setup.py", "setup(install_requires=['numpy', 'tensorflow==2.7.0'])\n", (2, 7)),
        ("environment.yml", "dependencies:\n  - tensorflow=2.12\n", (2, 12)),
        ("poetry.lock", '[[package]]\nname = "tensorflow"\nversion = "2.13.1"\n', (2, 13)),
        ("uv.lock", '[[package]]\nname = "tensorflow-cpu"\nversion = "2.18.0"\n', (2, 18)),
        ("Pipfile.lock", '{"default": {"tensorflow": {"version": "==2.6.0"}}}', (2, 6)),
        # none of these asks for a TensorFlow
        ("requirements.txt", "# tensorflow==1.15\nnumpy\n", (2, 15)),
        ("requirements.txt", "tf-nightly==2.18\ntensorflow-datasets==4.9\n", (2, 15)),
        ("requirements.txt", "tensorflow\n", (2, 15)),
        ("requirements.txt", "my-tensorflow==1.2\n", (2, 15)),
        ("requirements.txt", "tensorflow-probability==0.2\n", (2, 15)),
        ("poetry.lock", "[[package]\n", (2, 15)),
        ("poetry.lock", "package = 3\n", (2, 15)),
        ("Pipfile.lock", "[]", (2, 15)),
        ("Pipfile.lock", "{", (2, 15)),
    ],
)
def test_where_a_project_asks(here: Path, file: str, text: str, version: tuple[int, int]) -> None:
    (here / file).write_text(text)
    assert tensorflow(str(here)).version == version


def test_a_lock_is_asked_first(here: Path) -> None:
    (here / "requirements.txt").write_text("tensorflow==2.11\n")
    (here / "poetry.lock").write_text('[[package]]\nname = "tensorflow"\nversion = "2.13.1"\n')
    assert tensorflow(str(here)).version == (2, 13)


def test_the_requirements_come_before_those_for_something_else(here: Path) -> None:
    (here / "requirements-tf1.txt").write_text("tensorflow==1.15\n")
    (here / "requirements.txt").write_text("tensorflow==2.11\n")
    assert tensorflow(str(here)).version == (2, 11)


def test_the_root_of_the_repository_is_the_last_to_be_asked(here: Path) -> None:
    (here.parent / "requirements.txt").write_text("tensorflow==2.5\n")
    (here / ".git").mkdir()
    deep = here / "src/deep"
    deep.mkdir(parents=True)
    assert tensorflow(str(deep)).version == (2, 15)
    (here / "requirements.txt").write_text("tensorflow==2.11\n")
    tensorflow.cache_clear()
    assert tensorflow(str(deep)).version == (2, 11)


def test_without_a_repository_a_stranger_above_is_not_asked(here: Path) -> None:
    (here.parent / "requirements.txt").write_text("tensorflow==2.5\n")
    assert tensorflow(str(here)).version == (2, 15)
    (here.parent / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    tensorflow.cache_clear()
    assert tensorflow(str(here)).version == (2, 5)


def test_an_exact_version_waits_for_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "packaging.specifiers", None)
    assert closest("==2.11.1") == (2, 11)
    with pytest.raises(ImportError):
        closest(">=2.11")


@pytest.mark.parametrize(
    "text",
    [
        "tensorflow" + " " * 30_000,
        "tensorflow" * 30_000,
        "tensorflow[" * 20_000,
        "tensorflow==" + "9" * 5_000,
        "tensorflow>=" + "2." * 30_000,
        "tensorflow>=" + "2.14," * 30_000 + "<2.15",
        "tensorflow = { version = " * 20_000,
        "tensorflow==2.14\n" * 30_000,
    ],
    ids=lambda text: f"{text[:20]}…",
)
def test_no_text_keeps_its_reader_busy(here: Path, text: str) -> None:
    (here / "requirements.txt").write_text(text)
    (here / "poetry.lock").write_text(text + 'name = "' * 30_000)
    spent = time.process_time()
    version, _, unread = tensorflow(str(here))
    assert time.process_time() - spent < 10  # minutes, before
    assert version in {(2, 14), (2, 15)}
    assert not unread
