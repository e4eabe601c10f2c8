"""What keeps most files back is told first, at the line where it really is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from distify.assistant.files import projects
from distify.assistant.files.discovery import Target
from distify.assistant.report import causes
from distify.codemods.model import Finding, Migration

THERE = "`tf.distribute.MirroredStrategy` already distributes this program (dist.py:7)"
WAITS = "`lib.py` has to change for this file, and `a.py`, which runs the same code, is refused: J"


@pytest.fixture(autouse=True)
def _one_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projects, "relative", lambda path: path.lstrip("/"))
    monkeypatch.setattr(projects, "path_of", lambda entry, name: f"/{name}")


def told(*findings: tuple[str, str, str]) -> str:
    """What is said first where these files are blocked."""
    outcomes: list[Any] = [
        SimpleNamespace(
            target=Target(name, f"/{name}"),
            blocked=True,
            migration=Migration("", "Keras", blocked=(Finding(3, 0, code, message, ""),)),
        )
        for name, code, message in findings
    ]
    lines = causes.first(outcomes, None)
    return "\n".join("".join(span.text for span in line) for line in lines)


def test_one_line_of_another_file_keeps_two_back() -> None:
    found = told(("a.py", "N01", THERE), ("b.py", "N01", THERE), ("c.py", "T07", "it draws"))
    assert found.startswith("First: N01 in dist.py:7 keeps 2 files from being migrated: `tf.dist")
    assert "(dist.py:7)" not in found


def test_what_waits_for_another_file_is_counted_with_that() -> None:
    found = told(("a.py", "N01", THERE), ("b.py", "N01", WAITS), ("dist.py", "J03", "it draws"))
    assert found.startswith("First: N01 in dist.py:7 keeps 2 files")


@pytest.mark.parametrize("message", [THERE, WAITS, "it draws"])
def test_nothing_is_first_of_one(message: str) -> None:
    assert told(("b.py", "N01", message)) == ""


def test_files_that_wait_for_each_other_have_no_cause() -> None:
    assert told(("a.py", "N01", WAITS), ("b.py", "N01", WAITS)) == ""
