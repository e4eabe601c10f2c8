"""Takes a series of commits back, where nothing was built on it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from ..files.source import read
from . import environment, refusals, series_records
from .command import Refused
from .move import move
from .references import common
from .refusals import BRANCH, Head
from .repository import Repository, find
from .series_records import Record
from .session import Session
from .transition import File, Plan


@dataclass(frozen=True)
class Undone:
    """What was taken back: how many commits, of which branch, and what is checked out now."""

    commits: int
    branch: str
    deleted: bool
    now: str


def undo(folder: str) -> Undone:
    """Takes the series at the tip of the current branch back. Raises Refused."""
    with environment.clean():
        repository = find(folder, "go to the one whose commits you want to take back")
        with Session(repository) as session:
            refusals.nothing_under_way(repository)
            now = refusals.head(repository)
            record = series_records.of(repository, now)
            _undo(session, record)
        return _undone(repository, record)


def _undone(repository: Repository, record: Record) -> Undone:
    """Asked of git: the session deletes the branch as it ends, and somebody may hold a lock."""
    before, after = record.before, record.after
    gone = not repository.ask("rev-parse", "-q", "--verify", after.branch)
    now = before.branch.removeprefix(BRANCH) or before.commit[:12]
    return Undone(record.commits, after.branch.removeprefix(BRANCH), gone, now)


def _undo(session: Session, record: Record) -> None:
    repository, before, after = session.repository, record.before, record.after
    made = before.branch != after.branch
    if made:
        _refuse_elsewhere(repository, after)
    if made and before.branch:
        _refuse_moved(repository, before, after)
    paths = [file.path for file in record.files]
    new = refusals.nothing_staged(repository, after.commit, paths)
    old = refusals.committed(repository, before.commit, paths)
    for file in record.files:
        _refuse_edited(repository, file)
    plan = Plan(
        [File(file.path, file.after, file.before) for file in record.files],
        {path: (new[path], old[path]) for path in paths},
        after,
        before,
        "distify undo",
        delete=(after.branch, after.commit) if made else None,
        forget=series_records.place(repository, after.commit),
    )
    move(session, plan)


def _refuse_moved(repository: Repository, before: Head, after: Head) -> None:
    """Raises Refused where the branch before can't be checked out as it was."""
    name, own = (head.branch.removeprefix(BRANCH) for head in (before, after))
    now = repository.ask("rev-parse", "-q", "--verify", before.branch)
    if not now:
        raise Refused(
            f"the branch {name}, which {own} began at, is gone: "
            f"`git branch {name} {before.commit[:12]}` brings it back"
        )
    if now != before.commit:
        raise Refused(
            f"{name} has moved since the series was made on {own}: "
            f"`git switch {name}` leaves the series, `git branch -D {own}` deletes it"
        )
    _refuse_elsewhere(repository, before)


def _refuse_elsewhere(repository: Repository, wanted: Head) -> None:
    """Raises Refused where another work tree has the branch: a commit there would move ours.

    If the branch is to be deleted, that work tree would be left without any commit.
    """
    name = wanted.branch.removeprefix(BRANCH)
    for elsewhere, facts in _other_trees(repository):
        if f"branch {wanted.branch}" in facts:
            leave = f"git -C {shlex.quote(elsewhere)} switch --detach"
            way = f"switch to another branch there (`{leave}`)"
            if any(fact.startswith("prunable") for fact in facts):
                way = "it is gone, and `git worktree prune` lets git know"
            raise Refused(f"{name} is checked out in {elsewhere}: {way}")


def _other_trees(repository: Repository) -> Iterator[tuple[str, list[str]]]:
    """Where the other work trees are, and what git knows of them.

    `%(worktreepath)` of git would name a bare repository, too, which has no files. The first is the
    main one; of a submodule git has another path than that of its files.
    """
    top = os.path.realpath(repository.top)
    is_main = os.path.realpath(repository.git_dir) == common(repository)
    trees = repository.line("worktree", "list", "--porcelain").split("\n\n")
    for number, tree in enumerate(trees):
        line, *facts = tree.split("\n")
        place = line.removeprefix("worktree ")
        if not (number == 0 if is_main else os.path.realpath(place) == top):
            yield place, facts


def _refuse_edited(repository: Repository, file: File) -> None:
    """A link in its place is a change, too, even if the same text is behind it."""
    place = os.path.join(os.path.realpath(repository.top), *file.path.split("/"))
    try:
        same = os.path.realpath(place) == place and read(place) == file.after
    except OSError:
        same = False
    if not same:
        raise Refused(refusals.uncommitted(file.path))
