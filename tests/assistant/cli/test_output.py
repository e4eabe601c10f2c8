"""`migrate --output-dir`: the tree elsewhere, whole, and nothing changed here."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ..conftest import BLOCKED, MIGRATED, TRAIN, Call


@pytest.fixture(autouse=True)
def project(call: Call) -> None:  # after it: `call` has its own folder
    for name, text in {
        "src/train.py": TRAIN,
        "src/lib/blocked.py": BLOCKED,
        "src/lib/other.py": "x = 1\n",
        "src/data.csv": "1,2\n",
    }.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


def tree(folder: str) -> dict[str, str]:
    top = Path(folder)
    return {
        path.relative_to(top).as_posix(): path.read_text()
        for path in top.rglob("*")
        if path.is_file()
    }


def test_what_changed_and_what_did_not_stand_there_and_nothing_changes_here(call: Call) -> None:
    before = tree("src")
    result = call("migrate", "--output-dir", "out", "src")
    assert result.exit_code == 1  # one file is blocked
    assert tree("src") == before
    assert tree("out") == {
        "train.py": MIGRATED, "lib/blocked.py": BLOCKED, "lib/other.py": "x = 1\n"
    }  # fmt: skip
    assert f"{os.path.join('out', 'train.py')}  rewritten" in result.output


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (["src/train.py"], "train.py"),
        (["src/train.py", "src/lib"], "train.py"),
        (["src", "."], "src/train.py"),
        ([], "src/train.py"),
    ],
)
def test_files_are_laid_out_as_below_what_all_given_paths_are_in(
    call: Call, given: list[str], name: str
) -> None:
    call("migrate", "--output-dir", "out", *given)
    assert tree("out")[name] == MIGRATED


def test_a_file_keeps_its_mode(call: Call) -> None:
    Path("src/train.py").chmod(0o755)
    call("migrate", "--output-dir", "out", "src")
    assert os.stat("out/train.py").st_mode & 0o777 == 0o755
    assert os.stat("out/lib/other.py").st_mode == os.stat("src/lib/other.py").st_mode


def test_nothing_there_is_overwritten(call: Call) -> None:
    Path("out").mkdir()
    assert call("migrate", "--output-dir", "out", "src/lib/other.py").exit_code == 0
    result = call("migrate", "--output-dir", "out", "src")
    assert result.exit_code == 2
    assert "not an empty folder" in result.stderr
    assert tree("out") == {"other.py": "x = 1\n"}
    assert call("migrate", "--output-dir", "src/train.py", "src").exit_code == 2
    assert tree("src")["train.py"] == TRAIN


@pytest.mark.parametrize(
    "others",
    [["--diff", "src"], ["--check", "src"], ["--commit", "src"], ["-"]],
    ids=lambda others: others[0],
)
def test_it_stands_beside_nothing_that_contradicts_it(call: Call, others: list[str]) -> None:
    result = call("migrate", "--output-dir", "out", *others)
    assert result.exit_code == 2
    assert "--output-dir" in result.stderr
    assert not Path("out").exists()


def test_what_cannot_be_written_is_named(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("distify.assistant.files.elsewhere.create", full)
    result = call("migrate", "--output-dir", "out", "src")
    assert result.exit_code == 2
    assert "could not be written: no space left on device" in result.stderr.lower()
    assert tree("out") == {}
