"""How much a result counts: by its level, by what was asked for, and by the settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from distify.assistant import codemods

from ..conftest import ALREADY, BLOCKED, BROKEN, TRAIN, Call

CODES = frozenset({"R20", "N04", "D101", "D104", "D107"})
SETTINGS = "[tool.distify]\nseverity = {%s}\n"


@pytest.fixture(autouse=True)
def codes_of_the_fake_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codemods, "reported", lambda: CODES)


def put(here: Path, text: str, severity: str = "") -> None:
    (here / "train.py").write_text(text)
    if severity:
        (here / "pyproject.toml").write_text(SETTINGS % severity)


@pytest.mark.parametrize(
    ("text", "fails"),
    [
        (ALREADY, ""),
        (TRAIN, "warning changes"),
        (TRAIN + "# noted\n", "warning changes"),
        (BLOCKED, "error blocked warning changes"),
        (BROKEN, "unreadable error blocked warning changes"),
    ],
)
@pytest.mark.parametrize("command", ["check", "migrate --check", "migrate --diff"])
def test_each_level_fails_from_there_on(
    call: Call, here: Path, text: str, fails: str, command: str
) -> None:
    put(here, text)
    for level in ("never", "unreadable", "error", "blocked", "warning", "changes"):
        code = call(*command.split(), "--fail-on", level).exit_code
        assert code == ((2 if text == BROKEN else 1) if level in fails.split() else 0), level


@pytest.mark.parametrize(("text", "code"), [(ALREADY, 0), (TRAIN, 1), (BLOCKED, 1), (BROKEN, 2)])
def test_who_only_looks_fails_from_a_warning_on(
    call: Call, here: Path, text: str, code: int
) -> None:
    put(here, text)
    assert call("check").exit_code == call("migrate", "--check").exit_code == code


@pytest.mark.parametrize(("text", "code"), [(TRAIN, 0), (BLOCKED, 1), (BROKEN, 2)])
@pytest.mark.parametrize("level", [[], ["--fail-on", "error"], ["--fail-on", "warning"]])
def test_what_is_written_is_no_finding(
    call: Call, here: Path, text: str, code: int, level: list[str]
) -> None:
    put(here, text)
    assert call("migrate", *level).exit_code == code


def test_there_is_no_other_level(call: Call, here: Path) -> None:
    put(here, TRAIN)
    result = call("check", "--fail-on", "errors")
    assert result.exit_code == 2
    assert "'errors' is not one of" in result.stderr


@pytest.mark.parametrize(
    ("severity", "text", "fails"),
    [
        ('R20 = "warning"', BLOCKED, "warning"),
        ('R20 = "note"', BLOCKED, ""),
        ('r20 = "note"', BLOCKED, ""),
        ('N04 = "note"', BLOCKED, "error warning"),  # of another code
        ('D101 = "error"', TRAIN, "error warning"),
        ('D101 = "note"', TRAIN, "warning"),  # D104 is due as well
        ('D101 = "note", D104 = "note"', TRAIN, ""),
        ('D107 = "warning"', TRAIN.replace("(x)", "(x)  # noted"), "warning"),
        ('D107 = "error"', TRAIN.replace("(x)", "(x)  # noted"), "error warning"),
        ('D107 = "error"', TRAIN, "warning"),
    ],
)
def test_the_settings_say_how_much_a_code_counts(
    call: Call, here: Path, severity: str, text: str, fails: str
) -> None:
    put(here, text, severity)
    for level in ("error", "warning"):
        assert call("check", "--fail-on", level).exit_code == (level in fails.split()), level


def test_a_block_that_counts_less_is_still_one_and_told(call: Call, here: Path) -> None:
    put(here, BLOCKED, 'R20 = "note"')
    result = call("migrate", "--fail-on", "warning")
    assert result.exit_code == 0
    assert "train.py  blocked, left as it was; R20 counts as a note\n" in result.stdout
    assert (here / "train.py").read_text() == BLOCKED
    assert "R20" in call("migrate", "-q").output
    assert json.loads(call("check", "--format", "json").stdout)["totals"]["blocked"] == 1
