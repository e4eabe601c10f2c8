"""How far a worker was is told whenever it is killed."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

PROBE = Path(__file__).resolve().parents[4] / "assistant/verify/probe"


class Killed(BaseException):
    """The end of a process, as far as a test can have one."""


class Deadly(int):
    def __str__(self) -> str:
        raise Killed


@pytest.fixture(name="progress")
def _progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(PROBE))
    progress = importlib.import_module("distify_probe.progress")
    monkeypatch.setattr(progress.record, "path", lambda suffix: str(tmp_path / f"rank0.{suffix}"))
    yield progress
    for name in [name for name in sys.modules if name.startswith("distify_probe")]:
        del sys.modules[name]


def test_a_worker_killed_as_it_writes_leaves_what_was_there(progress: Any, tmp_path: Path) -> None:
    progress.note([3, 4], at_once=True)
    with pytest.raises(Killed):
        progress.note([Deadly(5)], at_once=True)
    assert (tmp_path / "rank0.progress").read_text() == "4"


def test_the_last_count_replaces_the_one_before(progress: Any, tmp_path: Path) -> None:
    progress.note([4], at_once=True)
    progress.note([5])
    assert (tmp_path / "rank0.progress").read_text() == "4"
    progress.note([12, 7], at_once=True)
    assert (tmp_path / "rank0.progress").read_text() == "12"
