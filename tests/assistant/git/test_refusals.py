"""Where no commits can be made: exit code 2, a message that helps, and nothing has changed."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Callable

import pytest

from distify.assistant.git import session
from distify.assistant.git.command import GitFailed
from distify.assistant.git.repository import find

from ..conftest import TRAIN, Call
from .conftest import Git

OTHER = "x = 1\n"


def refused(call: Call, *options: str) -> str:
    """What is said where it must fail."""
    answer = call("migrate", "--commit", *options, "a.py")
    assert answer.exit_code == 2, answer.output
    assert "Traceback" not in answer.output
    assert answer.stdout == ""
    return answer.stderr


def unborn(git: Git) -> None:
    git.write("a.py", TRAIN)


def detached(git: Git) -> None:
    git("checkout", "-q", "--detach")


def merging(git: Git) -> None:
    git("checkout", "-q", "-b", "side")
    git.commit(c_py="side\n")
    git("checkout", "-q", "main")
    git.commit(c_py="main\n")
    git("merge", "side", ok=False)


def rebasing(git: Git) -> None:
    merging(git)
    git("merge", "--abort")
    git("rebase", "side", ok=False)


def rebasing_by_patches(git: Git) -> None:
    merging(git)
    git("merge", "--abort")
    git("rebase", "--apply", "side", ok=False)


def applying_mails(git: Git) -> None:
    merging(git)
    git("merge", "--abort")
    git.write(".git/mail", git("format-patch", "--stdout", "main..side") + "\n")
    git("am", ".git/mail", ok=False)


def picking(git: Git) -> None:
    merging(git)
    git("merge", "--abort")
    git("cherry-pick", "side", ok=False)


def reverting(git: Git) -> None:
    git.commit(b_py="x = 2\n")
    git.commit(b_py="x = 3\n")
    git("revert", "HEAD~1", ok=False)


def between_two_reverts(git: Git) -> None:
    """The first one is committed by hand; the second one still waits."""
    for number in (2, 3, 4):
        git.commit(b_py=f"x = {number}\n")
    git("revert", "--no-edit", "HEAD~1", "HEAD~2", ok=False)
    git.write("b.py", "x = 5\n")
    git("commit", "-qam", "by hand")


def bisecting(git: Git) -> None:
    git("bisect", "start")


def locked(git: Git) -> None:
    git.write(".git/index.lock", "")


def edited(git: Git) -> None:
    git.write("a.py", TRAIN + "\n# later\n")


def staged(git: Git) -> None:
    edited(git)
    git("add", "a.py")


def staged_and_taken_back(git: Git) -> None:
    staged(git)
    git.write("a.py", TRAIN)


def made_executable(git: Git) -> None:
    (git.folder / "a.py").chmod(0o755)


def made_plain(git: Git) -> None:
    made_executable(git)
    git.commit()
    (git.folder / "a.py").chmod(0o644)


def was_a_link(git: Git) -> None:
    """With the very text of the file as its target, so that only the kind differs."""
    (git.folder / "a.py").unlink()
    (git.folder / "a.py").symlink_to(TRAIN)
    git.commit()
    (git.folder / "a.py").unlink()
    git.write("a.py", TRAIN)


def never_added(git: Git) -> None:
    git("rm", "-q", "--cached", "a.py")
    git("commit", "-q", "-m", "without it")


def ignored(git: Git) -> None:
    never_added(git)
    git.write(".gitignore", "a.py\n")


def only_planned(git: Git) -> None:
    never_added(git)
    git("add", "--intent-to-add", "a.py")


def nobody(git: Git) -> None:
    git("config", "--unset", "user.name")
    git("config", "--unset", "user.email")
    git("config", "user.useConfigOnly", "true")


def no_author(git: Git) -> None:
    nobody(git)
    for key in ("name", "email"):
        git("config", f"committer.{key}", "x@y")


def no_committer(git: Git) -> None:
    nobody(git)
    for key in ("name", "email"):
        git("config", f"author.{key}", "x@y")


CASES: dict[str, tuple[Callable[[Git], None], str]] = {
    "no commit": (unborn, "there is no commit yet"),
    "detached": (detached, "name a new one with --branch"),
    "merge": (merging, "a merge is under way"),
    "rebase": (rebasing, "a rebase is under way"),
    "rebase by patches": (rebasing_by_patches, "a rebase or `git am` is under way"),
    "am": (applying_mails, "a rebase or `git am` is under way"),
    "cherry-pick": (picking, "a cherry-pick is under way"),
    "revert": (reverting, "a revert is under way"),
    "several reverts": (between_two_reverts, "revert of several commits is under way"),
    "bisect": (bisecting, "git bisect reset"),
    "lock": (locked, "index.lock"),
    "edited": (edited, "a.py has uncommitted changes"),
    "staged": (staged, "a.py has uncommitted changes"),
    "staged, then taken back": (staged_and_taken_back, "a.py has uncommitted changes"),
    "executable": (made_executable, "a.py has uncommitted changes"),
    "no longer executable": (made_plain, "a.py has uncommitted changes"),
    "was a link": (was_a_link, "a.py has uncommitted changes"),
    "untracked": (never_added, "a.py is not in git yet"),
    "ignored": (ignored, "a.py is not in git yet"),
    "intent to add": (only_planned, "a.py has uncommitted changes"),
    "nobody": (nobody, "git does not know who you are"),
    "no author": (no_author, "git does not know who you are"),
    "no committer": (no_committer, "git does not know who you are"),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_in_the_way_is_named_and_left_alone(git: Git, call: Call, case: str) -> None:
    prepare, words = CASES[case]
    if case != "no commit":
        git.commit(a_py=TRAIN, b_py=OTHER)
    prepare(git)
    before, head = git.state(), git("rev-parse", "-q", "--verify", "HEAD", ok=False)
    assert words in refused(call)
    assert git.state() == before
    assert git("rev-parse", "-q", "--verify", "HEAD", ok=False) == head


def test_modes_tell_nothing_where_git_is_told_so(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    git("config", "core.fileMode", "false")
    made_executable(git)
    assert call("migrate", "--commit", "a.py").exit_code == 0
    assert git("ls-tree", "HEAD", "a.py").startswith("100644 ")
    assert git("status", "--porcelain") == ""


def test_a_detached_head_can_get_a_branch(git: Git, call: Call) -> None:
    base = git.commit(a_py=TRAIN)
    detached(git)
    assert call("migrate", "--commit", "--branch", "new", "a.py").exit_code == 0
    assert git("symbolic-ref", "--short", "HEAD") == "new"
    assert call("undo").exit_code == 0
    assert git("rev-parse", "HEAD") == base
    assert git("symbolic-ref", "-q", "HEAD", ok=False) == ""


BAD_NAMES = (
    *("-x", "--upload-pack=touch x", "a..b", "a b", "a~1", "a:b", "a.lock", "@{-1}", "HEAD"),
    *("refs/heads/x", "", "/", "a/", "/a", "a\nb", "a\\b", "@", ".a", "$(touch x)^", "-"),
)


def test_a_bad_name_is_no_branch(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    before = git.state()
    for name in BAD_NAMES:
        assert "can't be the name of a branch" in refused(call, f"--branch={name}"), name
    assert git.state() == before


@pytest.mark.parametrize("name", ["ü/ber", "$(touch)", "a;b", "x'y", "refs", "distify/migrate"])
def test_a_strange_name_is_a_branch(git: Git, call: Call, name: str) -> None:
    git.commit(a_py=TRAIN)
    assert call("migrate", "--commit", "--branch", name, "a.py").exit_code == 0
    assert git("symbolic-ref", "HEAD") == f"refs/heads/{name}"
    assert git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("there", "wanted", "words"),
    [
        ("new", "new", "the branch new exists already"),
        ("new", "new/one", "can't be made beside the branch new"),
        ("new/one", "new", "can't be made beside the branch new/one"),
    ],
)
def test_a_branch_that_is_there_is_not_touched(
    git: Git, call: Call, there: str, wanted: str, words: str
) -> None:
    git.commit(a_py=TRAIN)
    git("branch", there)
    before = git.state()
    assert words in refused(call, "--branch", wanted)
    assert git.state() == before


@pytest.mark.parametrize("there", ["other", "main", "mixed"])
def test_a_branch_with_work_of_somebody_is_not_offered_for_deletion(
    git: Git, call: Call, there: str
) -> None:
    git.commit(a_py=TRAIN)
    if there == "mixed":
        git("checkout", "-q", "-b", there)
        call("migrate", "--commit", "a.py")
        git.commit(b_py=OTHER)
        git("checkout", "-q", "main")
    elif there == "other":
        git("branch", there)
    said = refused(call, "--branch", there)
    assert f"the branch {there} exists already: choose another name" in said
    assert "git branch -D" not in said


def test_a_branch_that_holds_a_series_only_is_offered_for_deletion(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    call("migrate", "--commit", "--branch", "series", "a.py")
    git("checkout", "-q", "main")
    assert "delete it with `git branch -D series`" in refused(call, "--branch", "series")


def unsigned(git: Git) -> None:
    git.commit(a_py=TRAIN)
    git("config", "commit.gpgSign", "true")
    git("config", "gpg.format", "ssh")
    git("config", "user.signingKey", "/nonexistent")


def with_hook(git: Git, text: str = "exit 0") -> None:
    git.write(".git/hooks/pre-commit", f"#!/bin/sh\n{text}\n").chmod(0o755)


@pytest.mark.parametrize("hook", [False, True])
def test_a_commit_that_can_not_be_signed(
    git: Git, call: Call, hook: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    unsigned(git)
    if hook:
        with_hook(git)
    before = git.state()
    said = refused(call)
    assert said.startswith("error: git could not sign the commit: check user.signingkey, or ")
    assert git.state() == before
    (variables,) = re.findall(r"\((GIT_CONFIG_.*) distify …\)", said)
    for variable in variables.split():
        monkeypatch.setenv(*variable.split("="))
    assert call("migrate", "--commit", "a.py").exit_code == 0


def test_a_hook_that_fails_is_not_taken_for_a_missing_signature(git: Git, call: Call) -> None:
    unsigned(git)
    with_hook(git, "echo not good >&2; exit 1")
    said = refused(call)
    assert "could not sign" not in said
    assert "not good" in said


def test_a_git_command_is_named_without_its_settings() -> None:
    failed = GitFailed(["-c", "a.b=c", "--no-pager", "commit-tree", "-S"], 1, "")
    assert str(failed) == "git commit-tree failed (1): it said nothing"
    killed = GitFailed(["update-ref", "-d"], -9, "")
    assert str(killed).startswith("git update-ref was ended by signal 9: git may have left a lock")


def test_a_folder_without_a_repository(here: Path, call: Call) -> None:
    (here / "a.py").write_text(TRAIN)
    assert "is not in a git repository" in refused(call)
    assert (here / "a.py").read_text() == TRAIN


def test_a_bare_repository(here: Path, call: Call) -> None:
    subprocess.run(["git", "init", "-q", "--bare", "."], cwd=here, check=True)
    (here / "a.py").write_text(TRAIN)
    assert "is a bare repository" in refused(call)


def test_undo_without_a_repository(here: Path, call: Call) -> None:
    said = call("undo").stderr
    assert "is not in a git repository" in said
    assert "git init" not in said


def test_undo_in_a_bare_repository(here: Path, call: Call) -> None:
    subprocess.run(["git", "init", "-q", "--bare", "."], cwd=here, check=True)
    assert "is a bare repository" in call("undo").stderr


def test_files_of_two_repositories(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    inner = Git(git.folder / "inner")
    inner.write("b.py", TRAIN)
    inner("init", "-q")
    answer = call("migrate", "--commit", "a.py", "inner/b.py")
    assert answer.exit_code == 2
    assert "belongs to the repository" in answer.stderr
    assert "(`exclude` in the settings)" in answer.stderr
    assert (git.folder / "inner" / "b.py").read_text() == TRAIN


def test_files_of_a_submodule_and_of_its_surroundings(git: Git, call: Call) -> None:
    """A submodule is detached as a rule, which is not what is in the way here."""
    git.commit(b_py=TRAIN)
    inner = Git(git.folder / "a")
    inner.write("a.py", TRAIN)
    inner("init", "-q")
    inner("-c", "user.name=x", "-c", "user.email=x@y", "commit", "-q", "--allow-empty", "-m", "x")
    inner("checkout", "-q", "--detach")
    answer = call("migrate", "--commit", "a/a.py", "b.py")
    assert answer.exit_code == 2
    assert "b.py lies outside of the repository" in answer.stderr


def test_a_file_outside(git: Git, call: Call, tmp_path: Path) -> None:
    git.commit(a_py=TRAIN)
    (tmp_path / "out.py").write_text(TRAIN)
    (git.folder / "link.py").symlink_to(tmp_path / "out.py")
    answer = call("migrate", "--commit", "a.py", "link.py")
    assert answer.exit_code == 2
    assert "link.py: error: is a link that leads out of" in answer.stderr
    assert (tmp_path / "out.py").read_text() == TRAIN


@pytest.mark.parametrize(
    "options",
    [
        ["--branch", "x", "a.py"],
        ["--no-verify", "a.py"],
        ["--commit", "--diff", "a.py"],
        ["--commit", "--check", "a.py"],
        ["--commit", "-"],
    ],
)
def test_options_that_don_t_go_together(git: Git, call: Call, options: list[str]) -> None:
    git.commit(a_py=TRAIN)
    answer = call("migrate", *options)
    assert answer.exit_code == 2
    assert "Usage:" in answer.stderr
    assert git.subjects() == ["as it was"]
    assert git.files()["a.py"] == TRAIN.encode()


def test_nothing_to_do_is_no_failure(here: Path, call: Call) -> None:
    (here / "a.py").write_text(OTHER)  # not even a repository is asked for
    assert call("migrate", "--commit", "a.py").exit_code == 0


def test_git_is_missing(git: Git, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    git.commit(a_py=TRAIN)
    monkeypatch.setitem(__import__("sys").modules, "git", None)
    assert "git was not found" in refused(call)


def test_somebody_edits_a_file_meanwhile(
    git: Git, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distify.assistant.git import history

    git.commit(a_py=TRAIN)
    real = history.move

    def move(*arguments: object) -> None:
        git.write("a.py", "mine = 1\n")
        real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(history, "move", move)
    assert "was changed by someone else" in refused(call)
    assert git.files() == {"a.py": b"mine = 1\n"}
    assert git.subjects() == ["as it was"]


def test_somebody_edits_a_file_at_the_last_moment(
    git: Git, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distify.assistant.git import move

    git.commit(a_py=TRAIN, b_py=TRAIN)
    real = move._stage_index

    def stage_index(*arguments: object) -> None:
        real(*arguments)  # type: ignore[arg-type]
        git.write("b.py", "mine = 1\n")

    monkeypatch.setattr(move, "_stage_index", stage_index)
    assert "b.py was changed by someone else" in refused(call, "b.py")
    assert git.files() == {"a.py": TRAIN.encode(), "b.py": b"mine = 1\n"}
    assert git.subjects() == ["as it was"]


def test_somebody_stages_a_file_meanwhile(
    git: Git, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a trace in the work tree, as `git add --patch` can."""
    from distify.assistant.git import history

    git.commit(a_py=TRAIN, b_py=OTHER)
    theirs = git("rev-parse", "HEAD:b.py")
    real = history.move

    def move(*arguments: object) -> None:
        git("update-index", "--cacheinfo", f"100644,{theirs},a.py")
        real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(history, "move", move)
    assert "a.py has uncommitted changes" in refused(call)
    assert git("rev-parse", ":a.py") == theirs
    assert git.files()["a.py"] == TRAIN.encode()
    assert git.subjects() == ["as it was"]


def test_somebody_commits_meanwhile(git: Git, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    from distify.assistant.git import history

    git.commit(a_py=TRAIN)
    real = history.move

    def move(*arguments: object) -> None:
        git.commit(b_py=OTHER)
        real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(history, "move", move)
    assert "has moved in the meantime" in refused(call)
    assert git.files()["a.py"] == TRAIN.encode()
    assert git.subjects() == ["as it was", "as it was"]
    assert git("status", "--porcelain") == ""


def test_somebody_commits_at_the_last_moment(
    git: Git, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git itself then refuses to move the branch."""
    from distify.assistant.git import move

    git.commit(a_py=TRAIN)
    real = move._move_head

    def move_head(*arguments: object) -> None:
        tree = git("rev-parse", "HEAD^{tree}")
        git("update-ref", "HEAD", git("commit-tree", "-p", "HEAD", "-m", "theirs", tree))
        real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(move, "_move_head", move_head)
    assert "git update-ref failed" in refused(call)
    assert git.files() == {"a.py": TRAIN.encode()}
    assert git.subjects() == ["as it was", "theirs"]
    assert git("status", "--porcelain") == ""


def test_somebody_makes_the_branch_at_the_last_moment(
    git: Git, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distify.assistant.git import move

    base = git.commit(a_py=TRAIN)
    real = move._move_head

    def move_head(*arguments: object) -> None:
        git("branch", "x")
        real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(move, "_move_head", move_head)
    assert "git update-ref failed" in refused(call, "--branch", "x")
    assert git("rev-parse", "main", "x").split() == [base] * 2
    assert git.files() == {"a.py": TRAIN.encode()}
    assert git("status", "--porcelain") == ""


def test_another_run_is_at_work(git: Git, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    git.commit(a_py=TRAIN)
    monkeypatch.setattr(session, "PATIENCE", 0.1)
    with session.Session(find(str(git.folder))):
        assert "another distify is at work here: wait for it" in refused(call)
        assert "another distify is at work here" in call("undo").stderr
    assert git.subjects() == ["as it was"]
    assert call("migrate", "--commit", "a.py").exit_code == 0
