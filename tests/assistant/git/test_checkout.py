"""The temporary work tree in which hooks run: what is in it, and what comes back from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..conftest import TRAIN, Call
from .conftest import Git
from .test_hooks import hook, undisturbed
from .test_kinds import clean, commit


def test_a_hook_that_moves_head(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    git.commit(b_py="x = 1\n")
    hook(git, "post-commit", "git update-ref HEAD HEAD~2")
    assert "a hook moved HEAD" in undisturbed(git, call)


@pytest.mark.parametrize("hooked", [False, True])
def test_the_settings_for_messages_leave_it_as_it_is(git: Git, call: Call, hooked: bool) -> None:
    git.write("ü.py", TRAIN)
    git.commit()
    git("config", "i18n.commitEncoding", "ISO-8859-1")
    git("config", "commit.cleanup", "strip")
    git("config", "core.commentChar", "D")
    if hooked:
        hook(git, "pre-commit", "exit 0")
    commit(call, ".")
    for key in ("core.commentChar", "i18n.commitEncoding"):  # they count for reading, too
        git("config", "--unset", key)
    assert git("log", "-1", "--format=%(trailers:key=Distify-Rule,valueonly)") == "D104"
    assert "  ü.py:" in git("log", "-1", "--format=%B")


def test_a_file_outside_of_the_cone_with_a_hook(git: Git, call: Call) -> None:
    for folder in ("in", "out"):
        git.write(f"{folder}/a.py", TRAIN)
    base = git.commit()
    git("sparse-checkout", "set", "--cone", "in")
    git.write("out/a.py", TRAIN)
    hook(git, "pre-commit", "exit 0")
    commit(call, "out/a.py")
    assert git("diff", "--name-only", base, "HEAD") == "out/a.py"
    assert git("status", "--porcelain") == ""


def test_large_files_are_not_fetched(git: Git, call: Call, tmp_path: Path) -> None:
    """git-lfs asks the environment whether to."""
    git.write(".gitattributes", "*.bin filter=lfs\n")
    git.write("a.bin", "x")
    git("config", "filter.lfs.smudge", f"env | grep GIT_LFS >> '{tmp_path}/log'; cat")
    git("config", "filter.lfs.clean", "cat")
    git.commit(a_py=TRAIN)
    hook(git, "pre-commit", "exit 0")
    commit(call, "a.py")
    assert (tmp_path / "log").read_text() == "GIT_LFS_SKIP_SMUDGE=1\n"


def test_a_file_that_can_not_be_checked_out(git: Git, call: Call) -> None:
    """There may be no room in the temporary folder; here a filter fails."""
    git.write(".gitattributes", "*.bin filter=full\n")
    git.write("a.bin", "x")
    git("config", "filter.full.clean", "cat")
    git.commit(a_py=TRAIN)
    git("config", "filter.full.smudge", "echo no room >&2; false")
    git("config", "filter.full.required", "true")
    hook(git, "pre-commit", "exit 0")
    said = undisturbed(git, call)
    assert "could not be checked out for the hooks, in " in said
    assert "another TMPDIR" in said
    assert "no room" in said


def test_what_a_hook_changed_gets_its_line_ends(git: Git, call: Call) -> None:
    git.write(".gitattributes", "notes.txt text eol=crlf\n")
    git.write("notes.txt", "1\r\n")
    git.commit(a_py=TRAIN)
    hook(git, "pre-commit", "printf '2\\r\\n' >> notes.txt; git add notes.txt")
    commit(call, "a.py")
    assert git.files()["notes.txt"] == b"1\r\n2\r\n2\r\n"
    assert clean(git)


def test_a_hook_that_changes_what_somebody_staged(git: Git, call: Call) -> None:
    """Only the index holds it: the file itself is as it was."""
    git.write("notes.txt", "1\n")
    git.commit(a_py=TRAIN)
    git.write("notes.txt", "mine\n")
    git("add", "notes.txt")
    git.write("notes.txt", "1\n")
    hook(git, "pre-commit", "echo more >> notes.txt; git add notes.txt")
    assert "notes.txt has uncommitted changes" in undisturbed(git, call)


def test_hooks_get_the_language_of_the_user(
    git: Git, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git.commit(a_py=TRAIN)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    hook(git, "pre-commit", f'echo "$LC_ALL" >> {tmp_path}/log')
    commit(call, "a.py")
    assert (tmp_path / "log").read_text() == "C.UTF-8\n" * 2
