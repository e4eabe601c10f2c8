"""What the tests of pull requests share: a GitHub with an empty repository, a clone of it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from .project import TRAIN, Project
from .server import GitHub, served


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[GitHub]:
    """Nothing on any branch yet."""
    bare = tmp_path / "bare.git"
    for folder in (bare, tmp_path / "fork.git"):
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(folder)], check=True)
    fork = tmp_path / "fork.git"
    with served(GitHub(bare, fork)) as found:
        yield found


@pytest.fixture
def project(empty: GitHub, tmp_path: Path) -> Project:
    """One script that trains and one that doesn't."""
    made = Project(empty, tmp_path / "clone")
    made.change("Begin", train_py=TRAIN, other_py="print('no training')\n")
    return made
