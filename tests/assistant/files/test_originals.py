"""`distify undo` without git: the originals of the last run, or the reason why they stay away."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from distify.assistant.files import originals
from distify.assistant.files.writes import Change

from ..conftest import BLOCKED, MIGRATED, TRAIN, Call


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, here: Path) -> Path:
    """An own folder for what distify keeps, and a project's."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (here / "pyproject.toml").touch()
    return tmp_path / "state"


def put(**texts: str) -> None:
    for name, text in texts.items():
        Path(f"{name}.py").write_bytes(text.encode())


def test_files_get_back_what_they_held_byte_for_byte(call: Call, here: Path) -> None:
    crlf = TRAIN.replace("\n", "\r\n")
    put(a=TRAIN, b=crlf, blocked=BLOCKED)
    assert call("migrate", ".").exit_code == 1
    assert Path("a.py").read_text() == MIGRATED
    (here / "deep").mkdir()
    os.chdir("deep")  # of the same project
    result = call("undo")
    os.chdir("..")
    assert result.exit_code == 0, result.output
    assert "b.py: put back as it was" in result.stdout
    texts = [Path(f"{name}.py").read_bytes() for name in ("a", "b", "blocked")]
    assert texts == [TRAIN.encode(), crlf.encode(), BLOCKED.encode()]


@pytest.mark.parametrize("how", ["edited", "gone"])
def test_where_a_file_has_changed_since_nothing_is_put_back(call: Call, how: str) -> None:
    put(a=TRAIN, b=TRAIN)
    assert call("migrate", ".").exit_code == 0
    if how == "edited":
        Path("b.py").write_text(f"{MIGRATED}# more\n")
    else:
        Path("b.py").unlink()
    result = call("undo")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: b.py")
    assert ("was changed since" in result.stderr) == (how == "edited")
    assert Path("a.py").read_text() == MIGRATED


def test_it_is_done_once_and_only_in_the_project(call: Call, here: Path, tmp_path: Path) -> None:
    put(a=TRAIN)
    call("migrate", "a.py")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "pyproject.toml").touch()
    os.chdir(tmp_path / "other")
    assert call("undo").exit_code == 2
    os.chdir(here)
    assert call("undo").exit_code == 0
    assert call("undo").exit_code == 2
    assert Path("a.py").read_text() == TRAIN


def test_who_only_looks_or_writes_elsewhere_keeps_what_was_kept(call: Call) -> None:
    put(a=TRAIN)
    call("migrate", "a.py")
    kept = originals.kept()
    assert [(each.before, each.after) for each in kept] == [(TRAIN.encode(), MIGRATED.encode())]
    for words in (["check"], ["migrate", "--check"], ["migrate", "--output-dir", "out", "a.py"]):
        call(*words)
    call("migrate", "a.py")  # there is nothing left to do
    assert originals.kept() == kept


def test_commits_take_the_place_of_originals(
    call: Call, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for person in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{person}_NAME", "A")
        monkeypatch.setenv(f"GIT_{person}_EMAIL", "a@b.c")
    put(a=TRAIN, b=TRAIN)

    def git(*words: str) -> None:
        subprocess.run(["git", *words], check=True, capture_output=True)

    git("init", "-q")
    call("migrate", "a.py")
    git("add", ".")
    git("commit", "-qm", "first")
    assert call("migrate", "--commit", "b.py").exit_code == 0
    assert originals.kept() == []
    result = call("undo")
    assert result.exit_code == 0, result.output
    assert Path("b.py").read_text() == TRAIN
    assert Path("a.py").read_text() == MIGRATED


def test_what_can_not_be_kept_keeps_nothing_from_being_done(call: Call, state: Path) -> None:
    state.write_text("a file where the folder should be")
    put(a=TRAIN)
    assert call("migrate", "a.py").exit_code == 0
    assert Path("a.py").read_text() == MIGRATED
    assert call("undo").exit_code == 2


def test_others_can_t_look_into_it(state: Path) -> None:
    originals.keep([Change("/a", b"1", b"2")])
    (found,) = state.rglob("*.kept")
    assert found.parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "data",
    [b"", b"x", b"5:ab", b"99999999999:a", b"19:distify originals 2", b"19:distify originals 1",
     b"19:distify originals 11:a", b"3:abc0:0:0:"],
)  # fmt: skip
def test_what_distify_has_not_written_says_nothing(data: bytes) -> None:
    path = Path(originals.place())
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    assert originals.kept() == []


def test_names_and_texts_of_any_bytes_come_back(tmp_path: Path) -> None:
    texts = [b"", b"3:abc", b"\x00\xff\n", b"12:"]
    paths = [os.fsdecode(b"%b/\xff%d" % (os.fsencode(tmp_path), at)) for at in range(len(texts))]
    changes = [Change(path, text, text + b"!") for path, text in zip(paths, texts)]
    for each in changes:
        Path(each.path).write_bytes(each.after)
    originals.keep(changes)
    assert originals.kept() == changes
