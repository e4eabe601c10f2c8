"""When no commits are made: each check says what is in the way and what to do about it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from .command import GitFailed, Refused
from .repository import Repository

BRANCH = "refs/heads/"
# A setting of one run: git reads it from the environment.
UNSIGNED = "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=commit.gpgsign GIT_CONFIG_VALUE_0=false"
# What git leaves in its folder while something is under way, and how to leave that.
UNDER_WAY = (
    ("MERGE_HEAD", "a merge", "git merge --continue` or `git merge --abort"),
    ("rebase-merge", "a rebase", "git rebase --continue` or `git rebase --abort"),
    ("rebase-apply", "a rebase or `git am`", "git rebase --abort` or `git am --abort"),
    (
        "CHERRY_PICK_HEAD",
        "a cherry-pick",
        "git cherry-pick --continue` or `git cherry-pick --abort",
    ),
    ("REVERT_HEAD", "a revert", "git revert --continue` or `git revert --abort"),
    ("sequencer", "a cherry-pick or revert of several commits", "git status"),
    ("BISECT_LOG", "a bisection", "git bisect reset"),
)


@dataclass(frozen=True)
class Head:
    """What is checked out: a commit, and the branch that points to it ("" if detached)."""

    commit: str
    branch: str


def head(repository: Repository) -> Head:
    """Raises Refused before the first commit."""
    branch = repository.ask("symbolic-ref", "-q", "HEAD")
    commit = repository.ask("rev-parse", "-q", "--verify", "HEAD^{commit}")
    if not commit:
        raise Refused("there is no commit yet: commit the files as they are first")
    return Head(commit, branch)


def nothing_under_way(repository: Repository) -> None:
    """Raises Refused while a merge or the like waits to be finished, or git holds the index."""
    for name, what, fix in UNDER_WAY:
        if os.path.lexists(os.path.join(repository.git_dir, name)):
            raise Refused(f"{what} is under way: finish or leave it first (`{fix}`)")
    if os.path.lexists(repository.index + ".lock"):
        raise Refused(locked(repository))


def locked(repository: Repository) -> str:
    """What to say of an index that somebody holds."""
    return (
        f"another git command holds {repository.index}.lock: wait for it; "
        "if none is running, one was killed, and the file can be removed"
    )


def known_person(repository: Repository) -> None:
    """Raises Refused where git would not know whose commits these are."""
    for variable in ("GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"):
        try:
            repository.run("var", variable)
        except GitFailed as error:
            raise Refused(
                "git does not know who you are: `git config user.name NAME` and "
                f"`git config user.email MAIL` ({error.words.splitlines()[-1]})"
            ) from None


def new_branch(repository: Repository, name: str) -> str:
    """The full name of a branch that can be made. Raises Refused where it can't."""
    if (
        name.startswith(("-", "refs/"))
        or name in ("HEAD", "@")
        or not well_formed(repository, name)
    ):
        raise Refused(f"{name!r} can't be the name of a branch (see `git help check-ref-format`)")
    full = BRANCH + name
    if repository.ask("rev-parse", "-q", "--verify", full):
        raise Refused(
            f"the branch {name} exists already: choose another name{_ways_out(repository, name)}"
        )
    parts = full.split("/")
    around = ["/".join(parts[:end]) for end in range(3, len(parts))]
    found = [ref for ref in around if repository.ask("rev-parse", "-q", "--verify", ref)]
    found += repository.line("for-each-ref", "--count=1", "--format=%(refname)", full + "/").split()
    if found:
        raise Refused(f"{name} can't be made beside the branch {found[0].removeprefix(BRANCH)}")
    return full


def _ways_out(repository: Repository, name: str) -> str:
    """How to be rid of a branch; empty where somebody's own work would be lost with it."""
    form = "--format=%(trailers:key=Distify-Rule,valueonly,separator=%x20)"
    own = ("log", "--no-show-signature", form, f"HEAD..{BRANCH}{name}")
    if not all(repository.ask(*own).split("\n")):
        return ""
    return f", or delete it with `git branch -D {name}` (on it, `distify undo` takes a series back)"


def well_formed(repository: Repository, name: str) -> bool:
    """Whether git takes this for the name of a branch."""
    try:
        repository.run("check-ref-format", BRANCH + name)
    except (GitFailed, ValueError):  # a null byte reaches no command
        return False
    return True


def unsigned(words: str) -> str:
    """What to say where git could not sign; `words` are its own."""
    return (
        "git could not sign the commit: check user.signingkey, or turn commit.gpgsign off for this "
        f"run ({UNSIGNED} distify …); nothing has changed:\n{words}"
    )


Entry = tuple[str, str]  # mode and object


def committed(repository: Repository, commit: str, paths: Iterable[str]) -> dict[str, Entry]:
    """What a commit holds at these paths."""
    found = {}
    for record in repository.records("ls-tree", "-z", "--full-tree", commit, paths=paths):
        entry, _, path = record.partition("\t")
        mode, _, oid = entry.split(" ")
        found[path] = (mode, oid)
    return found


def staged(repository: Repository, paths: Iterable[str]) -> dict[str, Entry]:
    """What the index holds at these paths; a path in conflict has an entry equal to no other."""
    found: dict[str, Entry] = {}
    for record in repository.records("ls-files", "-s", "-z", paths=paths):
        entry, _, path = record.partition("\t")
        mode, oid, stage = entry.split(" ")
        found[path] = (mode, oid) if stage == "0" else ("conflict", "")
    return found


def nothing_staged(repository: Repository, commit: str, paths: list[str]) -> dict[str, Entry]:
    """What HEAD holds at these paths. Raises Refused for one that the index has otherwise."""
    entries, index = committed(repository, commit, paths), staged(repository, paths)
    for path in paths:
        if path not in entries and path not in index:
            raise Refused(f"{path} is not in git yet: commit it as it is first")
        if entries.get(path) != index.get(path):
            raise Refused(uncommitted(path))
    return entries


def uncommitted(path: str) -> str:
    """What to say of a file that differs from HEAD."""
    return f"{path} has uncommitted changes: commit or stash them first"
