"""`per-file-ignores`: which files, which codes, and what is a mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.assistant import codemods
from distify.assistant.files.choice import Choice
from distify.assistant.files.config import ConfigProblem
from distify.assistant.files.per_file import options_of
from distify.codemods.migrate import migrate

from ..conftest import Call
from ..test_suppressed import TAPE

REAL_RULES, REAL_CHECK = codemods.rules, codemods.check_choice


@pytest.fixture(autouse=True)
def real_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codemods, "migrate", migrate)
    monkeypatch.setattr(codemods, "rules", REAL_RULES)
    monkeypatch.setattr(codemods, "check_choice", REAL_CHECK)


def put(here: Path, table: str, *names: str) -> None:
    (here / "pyproject.toml").write_text(f"[tool.distify]\nper-file-ignores = {{{table}}}\n")
    for name in names:
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(TAPE.format(""))


@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        ("legacy/*.py", "legacy/a.py"),
        ("legacy/", "legacy/a.py legacy/deep/b.py src/legacy/a.py"),
        ("*.py", "legacy/a.py legacy/deep/b.py train.py src/legacy/a.py"),
        ("/legacy", "legacy/a.py legacy/deep/b.py"),
        ("legacy", "legacy/a.py legacy/deep/b.py src/legacy/a.py"),
        ("a.py", "legacy/a.py src/legacy/a.py"),
        ("# legacy/a.py", ""),
        ("other/", ""),
    ],
)
def test_patterns_are_those_of_exclude(call: Call, here: Path, pattern: str, named: str) -> None:
    names = ("legacy/a.py", "legacy/deep/b.py", "train.py", "src/legacy/a.py")
    put(here, f'"{pattern}" = ["T07"]', *names)
    call("migrate")
    written = [name for name in names if "horovod" in (here / name).read_text()]
    assert written == [name for name in names if name in named.split()]


def test_the_report_says_that_it_was_the_settings(call: Call, here: Path) -> None:
    put(here, '"train.py" = ["t07"]', "train.py")
    said = call("check").stdout
    assert "train.py  would be rewritten, suppressed: T07" in said
    assert "reason: per-file-ignores in the settings" in said


def test_the_code_of_a_rule_leaves_it_out_of_the_file(here: Path) -> None:
    put(here, '"a.py" = ["D303", "T07"], "*.py" = ["D202"]')
    options = Choice((), ()).options_for(str(here))
    assert options_of(str(here / "a.py"), options).ignore == {"D303", "D202"}
    assert options_of(str(here / "a.py"), options).suppressed == {"D303", "T07", "D202"}
    assert options_of(str(here / "b.py"), options).ignore == {"D202"}
    assert options_of(str(here / "b.txt"), options) == options
    assert options_of("", options) == options  # standard input


def test_what_the_result_needs_is_refused(call: Call, here: Path) -> None:
    put(here, '"*.py" = ["T07", "D202"]', "train.py")
    assert "blocked P01 line" in call("check").stdout


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('"a.py" = ["TO7"]', "per-file-ignores: there is no code 'TO7'; did you mean T07?"),
        ('"a.py" = ["N01"]', "per-file-ignores: N01 can't be taken away; see `distify"),
        ('"a.py" = ["M01"]', "per-file-ignores: M01 can't be taken away"),
        ('"a.py" = "T07"', "per-file-ignores 'a.py' must be a list of codes"),
        ('"a.py" = [7]', "per-file-ignores 'a.py' must be a list of codes"),
        ('"a.py" = ["D101"]', "per-file-ignores: D102"),
        ('"a.py" = []}\nseverity = {T07 = "fatal"', "severity 'T07' must be one of \"error\", "),
        ('"a.py" = []}\nseverity = {TO7 = "note"', "severity: there is no code 'TO7'; did you"),
        ('"a.py" = []}\nseverity = {M01 = "note"', "severity: M01 can't have a severity"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_file(here: Path, table: str, message: str) -> None:
    put(here, table)
    with pytest.raises(ConfigProblem) as told:
        Choice((), ()).options_for(str(here))
    assert str(told.value).startswith(f"{here / 'pyproject.toml'}: [tool.distify] {message}")


@pytest.mark.parametrize("key", ["per-file-ignores", "severity"])
def test_only_a_table_is_taken(here: Path, key: str) -> None:
    (here / "pyproject.toml").write_text(f'[tool.distify]\n{key} = ["T07"]\n')
    with pytest.raises(ConfigProblem, match=f"{key} must be a table"):
        Choice((), ()).options_for(str(here))


@pytest.mark.parametrize(
    ("table", "in_vain"),
    [
        ('"train.py" = ["T07"]', []),
        ('"*.py" = ["T07"]', []),
        ('"train.py" = ["T07", "D303"]', []),
        ('"train.py" = ["T07", "K04"]', ["'train.py': K04"]),
        ('"gone.py" = ["T07"]', ["'gone.py': T07"]),
        ('"plain.py" = ["T07", "D303"]', ["'plain.py': T07", "'plain.py': D303"]),
        ('"*.py" = ["T07"], "old/" = ["T07"]', ["'old/': T07"]),
    ],
)
def test_what_is_taken_away_in_vain_is_told(
    call: Call, here: Path, table: str, in_vain: list[str]
) -> None:
    put(here, table, "train.py")
    (here / "plain.py").write_text("print(1)\n")
    said = [line for line in call("check").stderr.splitlines() if "S01 per-file-ignores" in line]
    assert [
        line.partition("per-file-ignores ")[2].partition(" is not")[0] for line in said
    ] == in_vain
    assert all("pyproject.toml" in line for line in said)


def test_who_looks_at_some_files_is_told_nothing_of_the_others(call: Call, here: Path) -> None:
    put(here, '"gone.py" = ["T07"]', "train.py", "src/train.py")
    assert "S01" not in call("check", "train.py").stderr
    assert "S01" not in call("check", "src").stderr
    assert "S01" in call("check", ".").stderr
