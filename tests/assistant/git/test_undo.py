"""`distify undo`: the branch goes back if nobody built on it, the files byte for byte."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ..conftest import TRAIN, Call
from .conftest import Git
from .test_kinds import clean, commit


def refused(git: Git, call: Call) -> str:
    before = git.state()
    answer = call("undo")
    assert answer.exit_code == 2, answer.output
    assert git.state() == before
    return answer.stderr


@pytest.mark.parametrize("options", [[], ["--branch", "x"]])
def test_there_and_back(git: Git, call: Call, options: list[str]) -> None:
    git.commit(a_py=TRAIN, b_py="x = 1\n")
    git.write("b.py", "x = 2\n")
    before = git.state()
    commit(call, *options, "a.py")
    answer = call("undo")
    assert answer.exit_code == 0
    assert "2 commits of" in answer.stdout
    assert git.state() == before
    assert "nothing to take back" in refused(git, call)


def test_bytes_that_git_would_not_give_back(git: Git, call: Call) -> None:
    """With `text=auto` git would write line feeds; there were others."""
    text = TRAIN.replace("\n", "\r\n")
    git.write(".gitattributes", "* text=auto\n")
    git.commit(a_py=text)
    commit(call, "a.py")
    assert call("undo").exit_code == 0
    assert git.files()["a.py"] == text.encode()
    assert clean(git)


def test_one_series_on_top_of_the_other(git: Git, call: Call) -> None:
    base = git.commit(a_py=TRAIN, b_py=TRAIN)
    commit(call, "a.py")
    middle = git("rev-parse", "HEAD")
    commit(call, "--branch", "x", "b.py")
    assert call("undo").exit_code == 0
    assert git("rev-parse", "HEAD") == middle
    assert call("undo").exit_code == 0
    assert git("rev-parse", "HEAD") == base


def test_somebody_built_on_it(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    commit(call, "a.py")
    git.commit(b_py="x = 1\n")
    assert "git revert" in refused(git, call)


def test_an_amended_commit_is_no_longer_ours(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    commit(call, "a.py")
    git("commit", "-q", "--amend", "-m", "mine")
    assert "nothing to take back" in refused(git, call)


@pytest.mark.parametrize("staged", [False, True])
def test_a_file_that_changed_since(git: Git, call: Call, staged: bool) -> None:
    git.commit(a_py=TRAIN)
    commit(call, "a.py")
    git.write("a.py", git.files()["a.py"] + b"# later\n")
    if staged:
        git("add", "a.py")
    assert "a.py has uncommitted changes" in refused(git, call)


def test_a_file_that_was_staged_and_taken_back(git: Git, call: Call) -> None:
    """Only the index holds what somebody did."""
    git.commit(a_py=TRAIN)
    commit(call, "a.py")
    data = git.files()["a.py"]
    git.write("a.py", data + b"# later\n")
    git("add", "a.py")
    git.write("a.py", data)
    assert "a.py has uncommitted changes" in refused(git, call)


def test_something_is_under_way(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    commit(call, "a.py")
    git("bisect", "start")
    assert "git bisect reset" in refused(git, call)


def test_a_surrounding_hook_does_not_leak_in(
    git: Git, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = git.commit(a_py=TRAIN)
    commit(call, "a.py")
    other = Git(tmp_path / "other")
    other.folder.mkdir()
    other("init", "-q")
    with monkeypatch.context() as inside:
        inside.setenv("GIT_DIR", str(other.folder / ".git"))
        inside.setenv("GIT_INDEX_FILE", str(other.folder / ".git" / "index"))
        assert call("undo").exit_code == 0
    assert git("rev-parse", "HEAD") == base
    assert clean(git)


def test_a_file_that_is_gone(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    commit(call, "a.py")
    (git.folder / "a.py").unlink()
    assert "a.py has uncommitted changes" in refused(git, call)


def test_a_file_that_became_a_link(git: Git, call: Call) -> None:
    """The same text is behind it, and yet the link is somebody's uncommitted work."""
    git.commit(a_py=TRAIN)
    commit(call, "a.py")
    (git.folder / "a.py").rename(git.folder / "b.py")
    (git.folder / "a.py").symlink_to("b.py")
    assert "a.py has uncommitted changes" in refused(git, call)


def test_another_branch_at_the_same_place(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    commit(call, "a.py")
    git("checkout", "-q", "-b", "other")
    assert "`git switch main` first" in refused(git, call)


def test_from_the_branch_before(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    commit(call, "--branch", "x", "a.py")
    git("checkout", "-q", "main")
    assert "`git switch x` first" in refused(git, call)


def test_the_branch_before_has_moved(git: Git, call: Call) -> None:
    base = git.commit(a_py=TRAIN)
    commit(call, "--branch", "x", "a.py")
    tree = git("rev-parse", f"{base}^{{tree}}")
    git("update-ref", "refs/heads/main", git("commit-tree", "-p", base, "-m", "more", tree))
    assert "main has moved" in refused(git, call)


def test_what_is_no_record_is_passed_over(git: Git, call: Call) -> None:
    head = git.commit(a_py=TRAIN)
    git.write(f".git/distify/series/{head}.json", '{"format": 99}')
    git.write(".git/distify/series/x.json", "\x00")
    assert "not written by your distify" in refused(git, call)


def test_nothing_is_left_over(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    commit(call, "a.py")
    assert call("undo").exit_code == 0
    left = [path.name for path in (git.folder / ".git" / "distify").rglob("*") if path.is_file()]
    assert left == ["lock"]


def test_the_branch_before_is_checked_out_elsewhere(git: Git, call: Call) -> None:
    """Git itself never checks one branch out twice: a commit in one work tree moves the other."""
    git.commit(a_py=TRAIN)
    commit(call, "--branch", "x", "a.py")
    git("worktree", "add", "-q", "../else where", "main")
    said = refused(git, call)
    assert f"main is checked out in {git.folder.parent / 'else where'}" in said
    git("worktree", "remove", "../else where")
    assert call("undo").exit_code == 0


def test_the_branch_of_the_series_is_checked_out_elsewhere(git: Git, call: Call) -> None:
    """Deleted here, it would leave that work tree without a commit."""
    git.commit(a_py=TRAIN)
    commit(call, "--branch", "x", "a.py")
    git("worktree", "add", "-q", "--force", "../elsewhere", "x")
    assert f"x is checked out in {git.folder.parent / 'elsewhere'}" in refused(git, call)
    git("worktree", "remove", "../elsewhere")
    assert call("undo").exit_code == 0


@pytest.mark.parametrize("options", [[], ["--branch", "x"]])
@pytest.mark.parametrize("left", [["branch", "-m", "new"], ["switch", "-q", "--detach"]])
def test_a_branch_with_another_name(
    git: Git, call: Call, options: list[str], left: list[str]
) -> None:
    """The way out that is told is one."""
    git.commit(a_py=TRAIN)
    before = git.state()
    commit(call, *options, "a.py")
    made = git("branch", "--show-current")
    git(*left)
    git("branch", "-q", "-D", made, ok=left[0] == "switch")
    said = refused(git, call)
    assert f"made on the branch {made}: it has another name now, or is gone" in said
    git(*said.split("`git ")[1].split("`")[0].split())
    assert call("undo").exit_code == 0
    assert git.state() == before


def test_in_another_work_tree(git: Git, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """A linked work tree often goes as soon as its work is done; the branch stays."""
    base = git.commit(a_py=TRAIN)
    git("worktree", "add", "-q", "../linked", "-b", "side")
    monkeypatch.chdir(git.folder.parent / "linked")
    commit(call, "a.py")
    monkeypatch.chdir(git.folder)
    git("worktree", "remove", "../linked")
    git("switch", "-q", "side")
    assert call("undo").exit_code == 0
    assert git("rev-parse", "side") == base
    assert clean(git)


def test_the_work_tree_with_the_branch_before_is_gone(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    commit(call, "--branch", "x", "a.py")
    git("worktree", "add", "-q", "../elsewhere", "main")
    shutil.rmtree(git.folder.parent / "elsewhere")
    assert "`git worktree prune` lets git know" in refused(git, call)
    git("worktree", "prune")
    assert call("undo").exit_code == 0


def test_a_bare_repository_has_nothing_checked_out(
    git: Git, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its HEAD names a branch, and yet git checks that one out in a linked work tree."""
    git.commit(a_py=TRAIN)
    git("clone", "-q", "--bare", ".", "../bare")
    bare = Git(git.folder.parent / "bare")
    for key in ("user.name", "user.email"):
        bare("config", key, "x@y")
    bare("worktree", "add", "-q", "../linked", "main")
    linked = Git(git.folder.parent / "linked")
    monkeypatch.chdir(linked.folder)
    commit(call, "--branch", "x", "a.py")
    assert call("undo").exit_code == 0
    assert linked("symbolic-ref", "HEAD") == "refs/heads/main"
    assert clean(linked)


def test_the_branch_before_is_gone(git: Git, call: Call) -> None:
    base = git.commit(a_py=TRAIN)
    commit(call, "--branch", "x", "a.py")
    git("branch", "-q", "-D", "main")
    said = refused(git, call)
    assert f"`git branch main {base[:12]}` brings it back" in said
    git("branch", "main", base[:12])
    assert call("undo").exit_code == 0


def test_a_branch_that_can_not_be_deleted_is_not_called_deleted(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    commit(call, "--branch", "x", "a.py")
    git("pack-refs", "--all")
    git.write(".git/packed-refs.lock", "")
    answer = call("undo")
    assert answer.exit_code == 0
    assert "main is checked out, but x could not be deleted (`git branch -D x`)" in answer.stdout
    assert "x is deleted" not in answer.stdout


@pytest.mark.parametrize("locked", [False, True])
def test_settings_of_the_branch_go_with_it(git: Git, call: Call, locked: bool) -> None:
    """`git push -u` makes some; a later branch of this name would start with them."""
    git.commit(a_py=TRAIN)
    commit(call, "--branch", "x", "a.py")
    git("config", "branch.x.remote", "origin")
    git("config", "branch.main.remote", "origin")
    if locked:
        git("pack-refs", "--all")
        git.write(".git/packed-refs.lock", "")
    assert call("undo").exit_code == 0
    kept = git("config", "--name-only", "--get-regexp", "^branch").splitlines()
    assert kept == [*(["branch.x.remote"] if locked else []), "branch.main.remote"]
