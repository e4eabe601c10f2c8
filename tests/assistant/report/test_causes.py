"""What keeps most files back is told first, at the line where it really is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from distify.assistant.files import projects
from distify.assistant.files.discovery import Target
from distify.assistant.files.outcome import Outcome
from distify.assistant.files.source import Source
from distify.assistant.report import causes, text
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


def paragraphs(*findings: tuple[str, str, str], verbose: bool = False) -> dict[str, str]:
    """What is told of each of these files."""
    outcomes = [
        Outcome(
            Target(name, f"/{name}"),
            Source(b"", "", "utf-8"),
            Migration("", "Keras", blocked=(Finding(3, 0, code, message, "mend it"),)),
        )
        for name, code, message in findings
    ]
    lines = text.files(outcomes, {}, text.Style(verbose=verbose))
    told = "\n".join("".join(span.text for span in line) for line in lines)
    return {part.partition("  ")[0]: part for part in told.strip().split("\n\n")}


def test_what_keeps_several_files_back_is_told_once() -> None:
    case = ("a.py", "N01", THERE), ("b.py", "N01", THERE), ("c.py", "T07", "it draws")
    found = paragraphs(*case)
    assert THERE in found["a.py"]
    assert "mend it" in found["a.py"]
    assert found["a.py"].endswith("keeps back: b.py")
    where = "blocked N01 line 3: dist.py:7 keeps this file back, as is told of a.py"
    assert found["b.py"].endswith(where)
    assert "it draws" in found["c.py"]
    assert "keeps back" not in found["c.py"]
    assert THERE in paragraphs(*case, verbose=True)["b.py"]


def test_what_waits_for_another_file_names_that() -> None:
    found = paragraphs(("b.py", "J03", WAITS), ("a.py", "J03", "it draws"))
    assert "it draws" in found["a.py"]
    assert found["b.py"].endswith("a.py:3 keeps this file back, as is told of a.py")


def test_files_that_wait_for_each_other_are_told_by_themselves() -> None:
    found = paragraphs(("a.py", "N01", WAITS), ("c.py", "N01", WAITS))
    assert all(WAITS in told for told in found.values())
