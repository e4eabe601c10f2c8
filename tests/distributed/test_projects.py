"""Every project of the examples, migrated with the command line, trains in step on workers."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from proof import TIMEOUT, Proof, verify

PROJECTS = Path(__file__).resolve().parents[2] / "examples" / "projects"
START = """\
import runpy

runpy.run_module("{module}", run_name="__main__", alter_sys=True)
"""
COMMAND = """\
from {module} import {function}

{function}()
"""
ENTRIES = {  # modules that are started, or functions that the project's command calls
    "absl_flags": "train",
    "console_script": "harbour.cli:main",
    "gan": "train",
    "own_callbacks": "main",
    "package": "digits/train.py",  # which `verify` starts as a module
    "split_files": "train",
    "train_step": "run",
    "trainer_class": "main",
    "two_entries": "train",
}
QUICK = ("console_script", "trainer_class")


def run(name: str, folder: Path, distify: Any, workers: int = 2) -> Proof:
    """Migrate a copy of a project, and start its entry as `python -m` does."""
    copy = folder / name
    shutil.copytree(PROJECTS / name, copy)
    done = distify("migrate", str(copy))
    assert done.returncode == 0, done.stdout + done.stderr
    module, _, function = ENTRIES[name].partition(":")
    if module.endswith(".py"):
        return verify(copy / module, copy, "--timeout", str(4 * TIMEOUT), workers=workers)
    start = (copy / "src" if (copy / "src").is_dir() else copy) / "start.py"
    text = (COMMAND if function else START).format(module=module, function=function)
    start.write_text(text, encoding="utf-8")
    return verify(start, copy, "--no-reference", "--timeout", str(4 * TIMEOUT), workers=workers)


def check(proof: Proof) -> None:
    assert not proof.convicted, str(proof)
    assert proof.code == 0, str(proof)
    assert min(proof.steps) > 0
    assert {"averaging", "broadcast", "drift", "shards", "steps", "files"} <= proof.fine, str(proof)


@pytest.mark.parametrize("name", QUICK)
def test_two_workers_train_in_step(name: str, tmp_path: Path, distify: Any) -> None:
    check(run(name, tmp_path, distify))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(ENTRIES.keys() - set(QUICK)))
def test_two_workers_train_the_others_in_step(name: str, tmp_path: Path, distify: Any) -> None:
    check(run(name, tmp_path, distify))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(ENTRIES))
def test_three_workers_train_in_step(name: str, tmp_path: Path, distify: Any) -> None:
    check(run(name, tmp_path, distify, workers=3))


def test_each_project_is_run() -> None:
    assert sorted(path.name for path in PROJECTS.iterdir() if path.is_dir()) == sorted(ENTRIES)
