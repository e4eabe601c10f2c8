"""Migrates programs for the tests that run them."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any, Callable

import pytest
from proof import BIN


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that look at one run of a program stay in one process (`--dist loadgroup`)."""
    for item in items:
        if item.path.name.startswith("test_probe_"):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


def run_distify(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(BIN / "distify"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture(scope="session")
def distify() -> Any:
    """The command line."""
    return run_distify


@pytest.fixture(scope="session")
def migrate(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """Migrates a copy of a program with the command line, once."""
    folder = tmp_path_factory.mktemp("migrated")

    def copy_and_migrate(program: Path) -> Path:
        copy = folder / program.name
        if not copy.exists():
            copy.write_bytes(program.read_bytes())
            done = run_distify("migrate", str(copy))
            assert done.returncode == 0, done.stdout + done.stderr
            assert b"hvd.init()" in copy.read_bytes(), done.stdout
        return copy

    return copy_and_migrate
