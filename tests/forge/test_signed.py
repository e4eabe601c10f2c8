"""Commits that the forge makes and signs: the same files and texts, and nobody's work is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.assistant.git import repository
from distify.assistant.git.command import Refused
from distify.assistant.pull.github_api import GitHub as Forge
from distify.assistant.pull.signed import signed
from distify.assistant.pull.wire import Access

from .project import BRANCH, TRAIN, Project
from .server import FORK, REPOSITORY, TOKEN, Fault
from .test_pr import operation

SIGN = "--sign-commits"
slow = pytest.mark.slow


def texts(project: Project) -> str:
    return project.github.git("log", "--reverse", "--format=%T%n%B", f"main..{BRANCH}")


@slow
def test_from_the_first_pull_request_to_its_end(project: Project) -> None:
    github = project.github
    project.pr()
    plain = texts(project)
    project.pr(SIGN)
    assert operation(project) == "updated"
    assert texts(project) == plain
    people = github.git("log", "--format=%an|%cn|%GS|%s", f"main..{BRANCH}").splitlines()
    assert all(each.startswith("distify-bot[bot]|GitHub|") for each in people)
    first = github.head(BRANCH)
    assert "\ngpgsig -----BEGIN PGP SIGNATURE-----" in github.git("cat-file", "commit", first)
    assert f"/commit/{first})" in github.pulls[0]["body"]

    github.seen.clear()
    project.pr(SIGN)
    assert (operation(project), github.head(BRANCH)) == ("none", first)
    assert not [path for method, path in github.seen if "/git/" in path]
    project.pr()  # they are ours without the wish, too
    assert (operation(project), github.head(BRANCH)) == ("none", first)

    project.change("More", more_py=TRAIN)
    project.pr(SIGN)
    assert operation(project) == "updated"
    theirs = project.human()
    project.change("Still more", third_py=TRAIN)
    project.pr(SIGN)
    assert (operation(project), github.head(BRANCH)) == ("none", theirs)
    github.git("update-ref", "-d", f"refs/heads/{BRANCH}")
    project.pr(SIGN)
    project.change("Done", train_py=None, more_py=None, third_py=None)
    project.pr(SIGN)
    assert operation(project) == "closed"
    assert not github.head(BRANCH)


@slow
@pytest.mark.parametrize("how", ["amended", "as the bot", "rebased"])
def test_what_a_person_did_to_a_signed_commit_stays(project: Project, how: str) -> None:
    project.pr(SIGN)
    project.git("fetch", "-q", str(project.github.bare), BRANCH)
    project.git("checkout", "-q", "-B", "theirs", "FETCH_HEAD")
    if how == "as the bot":
        who = ("-c", "user.name=distify-bot[bot]", "-c",
               "user.email=1+distify-bot[bot]@users.noreply.github.com")  # fmt: skip
        project.shell("env", "-u", "GIT_COMMITTER_NAME", "-u", "GIT_COMMITTER_EMAIL", "git", *who,
                      "commit", "-q", "--amend", "--no-edit", "--allow-empty")  # fmt: skip
    elif how == "amended":
        project.git("commit", "-q", "--amend", "--no-edit", "--reset-author", "--allow-empty")
    else:
        project.git("rebase", "-q", "--force-rebase", "HEAD~1")
    project.git("push", "-q", "-f", str(project.github.bare), f"theirs:{BRANCH}")
    theirs = project.github.head(BRANCH)
    project.git("checkout", "-q", "main")
    project.change("More", more_py=TRAIN)
    project.pr(SIGN)
    assert (operation(project), project.github.head(BRANCH)) == ("none", theirs)


@slow
def test_a_person_who_pushes_while_the_forge_signs_is_not_overwritten(project: Project) -> None:
    project.pr(SIGN)
    project.change("More", more_py=TRAIN)
    hook = project.folder / ".git" / "hooks" / "pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(
        f"#!/bin/sh\nbare={project.github.bare}\n"
        f"at=$(git -C $bare rev-parse {BRANCH})\n"
        "export GIT_AUTHOR_NAME=P GIT_AUTHOR_EMAIL=p@x GIT_COMMITTER_NAME=P "
        "GIT_COMMITTER_EMAIL=p@x\n"
        "new=$(git -C $bare commit-tree -p $at -m Mine $at^{tree})\n"
        f"git -C $bare update-ref refs/heads/{BRANCH} $new\n"
    )
    hook.chmod(0o755)
    said = project.pr(SIGN, code=2)
    assert "nothing of theirs was overwritten" in said
    assert project.github.git("log", "-1", "--format=%s", BRANCH) == "Mine"


@slow
def test_in_a_fork_they_are_made_there(project: Project) -> None:
    project.git("push", "-q", str(project.github.fork), "main")
    project.pr(SIGN, "--push-to-fork", FORK)
    made = [path for method, path in project.github.seen if "/git/" in path]
    assert made
    assert all(path.startswith(f"/repos/{FORK}/git/") for path in made)
    assert project.github.head(BRANCH, project.github.fork)


@slow
@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        ("message", "a commit's author, time or text"),
        ("author", "a commit's author, time or text"),
        ("tree", "something else of the files"),
        ("payload", "something else of a commit than"),
    ],
)
def test_what_the_forge_makes_otherwise_is_refused(
    project: Project, spoilt: str, told: str
) -> None:
    project.github.spoilt = spoilt
    assert told in project.pr(SIGN, code=2)
    assert not project.github.head(BRANCH)
    assert project.github.pulls == []


@slow
def test_a_persons_token_is_told_to_sign_nothing(project: Project) -> None:
    project.github.person = "somebody"
    said = project.pr(SIGN, code=2)
    assert "GitHub did not sign the commits (unsigned)" in said
    assert "the one of a workflow or of an app" in said
    assert not project.github.head(BRANCH)
    assert "did not sign" not in project.pr(SIGN, "--dry-run")


@slow
@pytest.mark.parametrize("path", ["blobs", "trees", "commits"])
def test_a_server_that_fails_for_a_moment_is_asked_again(project: Project, path: str) -> None:
    project.github.faults.append(Fault("POST", f"/git/{path}$", 502, times=2))
    project.pr(SIGN)
    assert operation(project) == "created"


@pytest.fixture
def whole(project: Project) -> Project:
    """A commit of everything that a tree can hold, on top of main."""
    folder = project.folder
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "ü n.bin").write_bytes(bytes(range(256)) * 20_000)
    (folder / "empty").write_bytes(b"")
    (folder / "run.sh").write_bytes(b"#!/bin/sh\r\n\xff\xfe")
    (folder / "run.sh").chmod(0o755)
    (folder / "link").symlink_to("deep/er")
    (folder / "train.py").chmod(0o755)
    (folder / "other.py").unlink()
    project.git("add", "-A")
    commit = project.git("rev-parse", "HEAD")
    project.git("update-index", "--add", "--cacheinfo", f"160000,{commit},sub")
    text = "distify(D104): all\n\n  ü\n\n\nDistify-Rule: D104\n"
    tree = project.git("write-tree")
    from distify.assistant.git.message import sealed

    made = project.git("commit-tree", tree, "-p", "HEAD", "-m", sealed(text, tree).rstrip("\n"))
    project.git("update-ref", "refs/heads/whole", made)
    return project


def test_whatever_a_tree_holds_is_made_the_same(whole: Project) -> None:
    base, tip = whole.git("rev-parse", "main"), whole.git("rev-parse", "whole")
    there = repository.find(str(whole.folder), "")
    forge = Forge(Access(whole.github.url, REPOSITORY, TOKEN))
    assert forge.objects
    (made,) = signed(there, forge.objects, base, [tip])
    assert whole.git("rev-parse", f"{made}^{{tree}}") == whole.git("rev-parse", f"{tip}^{{tree}}")
    assert whole.git("log", "-1", "--format=%B", made) == whole.git("log", "-1", "--format=%B", tip)
    assert whole.github.git("cat-file", "-t", made) == "commit"


def test_a_name_that_is_no_text_is_told(project: Project) -> None:
    Path(project.folder, "bl\udcff.py").write_text("1")
    project.git("add", "-A")
    project.git("commit", "-q", "-m", "One")
    base, tip = project.git("rev-parse", "HEAD~1"), project.git("rev-parse", "HEAD")
    forge = Forge(Access(project.github.url, REPOSITORY, TOKEN))
    assert forge.objects
    with pytest.raises(Refused, match=r"takes no name that is no text"):
        signed(repository.find(str(project.folder), ""), forge.objects, base, [tip])
