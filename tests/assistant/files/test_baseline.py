"""`check --baseline`: what is known doesn't count, by content; what is new does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from distify.assistant import codemods
from distify.assistant.files import known_findings
from distify.codemods.migrate import migrate

from ..conftest import NO_LOOP, Call
from ..test_suppressed import TAPE

BLOCKED = TAPE.format("")
SET = "opt.learning_rate = 0.1 * float(loss)"
CLEAN = BLOCKED.replace(f"    if enough():\n        {SET}\n", "")

ENTRY = '{"path": "a", "code": "b", "statement": "c", "count": %s}'
ONE = '{"version": 1, "findings": [' + ENTRY + "]}"


@pytest.fixture(autouse=True)
def train(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(codemods, "migrate", migrate)
    (here / "train.py").write_text(BLOCKED)
    return here / "train.py"


def check(call: Call, *more: str) -> tuple[int, dict[str, Any]]:
    result = call("check", "--baseline", "known.json", "--format", "json", *more)
    assert result.stdout, result.stderr
    return result.exit_code, json.loads(result.stdout)


def update(call: Call, *more: str) -> None:
    assert call("check", "--baseline", "known.json", "--update-baseline", *more).exit_code == 0


def known(here: Path) -> list[dict[str, Any]]:
    return list(json.loads((here / "known.json").read_text())["findings"])


def test_what_is_known_is_a_number(call: Call, here: Path) -> None:
    assert call("check").exit_code == 1
    update(call)
    statement = "opt . learning_rate = 0.1 * float ( loss )"
    (only,) = known(here)
    assert only == {"code": "T07", "count": 1, "path": "train.py", "statement": statement}
    assert (here / "known.json").read_text().endswith('\n  ],\n  "version": 1\n}\n')
    result = call("check", "--baseline", "known.json")
    assert result.exit_code == 0
    assert "T07" not in result.stdout
    assert "1 left alone (in the baseline); 1 file searched." in result.stdout
    assert "1 finding in the baseline." in result.stdout
    code, document = check(call)
    assert code == 0
    assert document["baseline"] == {"known": 1, "gone": []}
    assert document["files"][0]["status"] == "skipped"
    assert document["totals"]["blocked"] == 0


def test_without_the_option_it_counts_as_before(call: Call) -> None:
    update(call)
    assert call("check").exit_code == 1
    assert "baseline" not in json.loads(call("check", "--format", "json").stdout)


@pytest.mark.parametrize(
    "text",
    [
        "# moved\n\n\n" + BLOCKED,
        BLOCKED.replace(SET, f"{SET}  # why"),
        BLOCKED.replace("\n", "\r\n"),
        BLOCKED.replace(f"    if enough():\n        {SET}", f"    if enough(): {SET}"),
    ],
)
def test_lines_may_move(call: Call, train: Path, text: str) -> None:
    update(call)
    train.write_bytes(text.encode())
    same = "if enough" not in text or ": opt" not in text
    assert check(call)[0] == (0 if same else 1)


def test_the_same_again_is_new(call: Call, train: Path) -> None:
    update(call)
    train.write_text(BLOCKED + f"    if loss < 2.0:\n        {SET}\n")
    code, document = check(call)
    assert code == 1
    (found,) = document["files"][0]["blocked"]
    assert (found["code"], found["line"]) == ("T07", 12)
    update(call)
    assert check(call)[0] == 0


def test_another_file_and_another_code_are_new(call: Call, here: Path, train: Path) -> None:
    update(call)
    (here / "other.py").write_text(BLOCKED)
    code, document = check(call)
    assert code == 1
    assert [file["status"] for file in document["files"]] == ["blocked", "skipped"]
    (here / "other.py").unlink()
    train.write_text(CLEAN)  # now its rewrites are found
    code, document = check(call)
    assert code == 1
    assert document["files"][0]["status"] == "would-change"


def test_what_would_change_is_known_by_its_statements(call: Call, here: Path, train: Path) -> None:
    train.write_text(CLEAN)
    update(call)
    assert check(call)[0] == 0
    assert {"D104", "D201"} <= {entry["code"] for entry in known(here)}
    train.write_text(CLEAN + 'print("done")\n')
    code, document = check(call)
    assert code == 1
    lines = {p["line"] for change in document["files"][0]["changes"] for p in change["places"]}
    assert lines == {9}


def test_a_statement_is_known_however_it_is_laid_out(call: Call, train: Path) -> None:
    train.write_text(CLEAN)
    update(call)
    train.write_text(CLEAN.replace("SGD(0.1)", "SGD(\n    0.1  # slow\n)"))
    assert check(call)[0] == 0
    train.write_text(CLEAN.replace("SGD(0.1)", "SGD(0.2)"))
    code, document = check(call)
    assert code == 1
    changes = document["files"][0]["changes"]
    assert "D104" in [change["code"] for change in changes]
    assert {place["line"] for change in changes for place in change["places"]} == {4}


def test_what_is_gone_is_told_and_removed(call: Call, here: Path, train: Path) -> None:
    update(call)
    train.write_text(NO_LOOP)
    said = call("check", "--baseline", "known.json").stdout
    assert "1 finding of the baseline is no longer found: --update-baseline removes it." in said
    assert check(call)[1]["baseline"]["gone"] == known(here)
    update(call)
    assert known(here) == []


def test_what_was_not_looked_at_is_kept(call: Call, here: Path, train: Path) -> None:
    (here / "other.py").write_text(BLOCKED)
    update(call)
    assert len(known(here)) == 2
    train.write_text("x = 1\n")
    update(call, "other.py")
    assert [entry["path"] for entry in known(here)] == ["other.py", "train.py"]
    train.write_text("x = = 1\nimport tensorflow\nmodel.fit(x)\n")  # can't be read
    assert call("check", "--baseline", "known.json", "--update-baseline").exit_code == 2
    assert len(known(here)) == 2
    train.unlink()
    update(call, "other.py")
    assert [entry["path"] for entry in known(here)] == ["other.py"]


def test_paths_are_those_from_the_baseline(
    call: Call, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    update(call)
    (here / "sub").mkdir()
    monkeypatch.chdir(here / "sub")
    assert call("check", "--baseline", "../known.json", "..").exit_code == 0


def test_nothing_new_is_written_where_nothing_is_new(call: Call, here: Path) -> None:
    update(call)
    before = (here / "known.json").stat()
    update(call)
    after = (here / "known.json").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert sorted(path.name for path in here.iterdir()) == ["known.json", "train.py"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ("[]", "is no baseline of distify"),
        ("{}", "is no baseline of distify"),
        ('{"version": 2, "findings": []}', "is of version 2; this distify reads 1"),
        ('{"version": 1}', "is no baseline of distify"),
        ('{"version": 1, "findings": [1]}', "is no baseline of distify"),
        ('{"version": 1, "findings": [{"path": "a"}]}', "is no baseline of distify"),
        (ONE % "true", "is no baseline of distify"),
        (ONE % "1.0", "is no baseline of distify"),
    ],
)
@pytest.mark.parametrize("more", [[], ["--update-baseline"]])
def test_what_is_no_baseline_is_left_as_it_is(
    call: Call, here: Path, text: str, message: str, more: list[str]
) -> None:
    (here / "known.json").write_text(text)
    result = call("check", "--baseline", "known.json", *more)
    assert result.exit_code == 2
    assert f"known.json: {message}" in result.stderr
    assert (here / "known.json").read_text() == text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--baseline", "known.json"], "no such file; --update-baseline makes it"),
        (["--update-baseline"], "--update-baseline needs --baseline"),
        (["--baseline", "known.json", "-"], "standard input"),
        (["--baseline", "known.json", "--update-baseline", "--select", "D104"], "--select"),
        (["--baseline", "no/known.json", "--update-baseline"], "no/known.json: "),
    ],
)
def test_what_can_not_be_asked(call: Call, here: Path, words: list[str], message: str) -> None:
    result = call("check", *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not (here / "known.json").exists()


def test_a_choice_of_rules_says_nothing_of_what_is_gone(call: Call, train: Path) -> None:
    train.write_text(CLEAN)
    update(call)
    train.write_text(NO_LOOP)
    assert check(call)[1]["baseline"]["gone"]
    assert check(call, "--select", "D203")[1]["baseline"]["gone"] == []


def test_a_link_that_leads_out_is_not_written(call: Call, here: Path, tmp_path: Path) -> None:
    (here / ".git").mkdir()
    (here / "known.json").symlink_to(tmp_path / "elsewhere.json")
    result = call("check", "--baseline", "known.json", "--update-baseline")
    assert result.exit_code == 2
    assert "is a link that leads out" in result.stderr
    assert not (tmp_path / "elsewhere.json").exists()


def test_long_statements_are_cut_and_told_apart() -> None:
    one, other = (known_findings.fingerprint("a", "T07", "x" * 300 + end) for end in "ab")
    assert one != other
    assert len(one.statement) < 230
    assert one == known_findings.fingerprint("a", "T07", "x" * 300 + "a")
