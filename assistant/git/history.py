"""One commit per rule on a branch, and back again: what the commands need of git.

Architecture, "`assistant/` acts"; issue 4, "One commit per rule". Commits are made beside the work
tree; files, index and branch move to the result at the end (`git/move.py`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from .. import codemods
from ..files.outcome import Outcome
from ..files.reader import repository as repository_of
from . import environment, refusals, series_records
from .command import Refused
from .move import move
from .plan import Change, Rewritten, changes
from .refusals import BRANCH, Head
from .repository import Repository, find
from .series import Commit, build
from .series_records import Record
from .session import Session, silently
from .transition import Plan

__all__ = ["Proposal", "Refused", "Series", "commit", "mend", "propose"]


@dataclass(frozen=True)
class Series:
    """The commits that were made, oldest first, on a branch (its short name)."""

    commits: Sequence[Commit]
    branch: str


def commit(
    outcomes: Iterable[Outcome],
    branch: str | None,
    verify: bool,
    tell: Callable[[str], None] = silently,
) -> Series:
    """Commits the outcomes that change their file. Raises Refused with nothing changed."""
    changed = [outcome for outcome in outcomes if outcome.changed]
    with environment.clean():
        repository = find(os.path.dirname(changed[0].target.path))
        files = list(_rewritten(repository, changed))
        with Session(repository, tell) as session:
            refusals.nothing_under_way(repository)
            before = refusals.head(repository)
            target = _target(repository, before, branch)
            refusals.known_person(repository)
            return _commit(session, before, target, files, verify)


def mend(paths: Iterable[str]) -> None:
    """Finishes what a killed run left in the repositories of these paths, or takes it back.

    A run that was killed after its last step leaves nothing to commit, so that nobody would come
    by. Raises Refused for what was left by somebody else.
    """
    folders = {repository_of(os.path.realpath(path)) for path in paths} - {None}
    with environment.clean():
        for folder in sorted(filter(None, folders)):
            try:
                repository = find(folder)
            except Refused:  # told where something is to be committed
                continue
            if os.path.lexists(os.path.join(repository.git_dir, "distify", "run")):
                with Session(repository):
                    pass


@dataclass(frozen=True)
class Proposal:
    """A series that no branch points to yet: what it is built on, and what comes out."""

    base: str
    tree: str
    changes: Sequence[Change]
    commits: Sequence[Commit]  # one per change, in the same order


def propose(
    repository: Repository, outcomes: Iterable[Outcome], prefix: str, verify: bool
) -> Proposal:
    """Builds the series on top of HEAD. Raises Refused; files, index and branches stay."""
    rules = codemods.changes()
    with Session(repository) as session:
        refusals.nothing_under_way(repository)
        before = refusals.head(repository)
        files = list(_rewritten(repository, (each for each in outcomes if each.changed)))
        series = changes(files, {rule.code: rule.needs for rule in rules})
        if not series:
            return Proposal(before.commit, "", (), ())
        contents = {file.path: file.source.data for file in files}
        summaries = {rule.code: rule.summary for rule in rules}
        built = build(session, before, contents, series, summaries, verify, prefix, seal=True)
    tree = repository.line("rev-parse", f"{built.commits[-1].id}^{{tree}}")
    return Proposal(before.commit, tree, series, built.commits)


def _target(repository: Repository, head: Head, branch: str | None) -> str:
    """The branch that the series goes to, by its full name."""
    if branch is not None:
        return refusals.new_branch(repository, branch)
    if not head.branch:
        raise Refused("no branch is checked out (detached HEAD): name a new one with --branch")
    return head.branch


def _rewritten(repository: Repository, outcomes: Iterable[Outcome]) -> Iterator[Rewritten]:
    for outcome in outcomes:
        if outcome.source and outcome.migration and outcome.after is not None:
            steps = tuple((step.code, step.text) for step in outcome.migration.steps)
            path = repository.relative(outcome.target.path)
            told = outcome.left_out, outcome.suppressed, outcome.taken_on
            yield Rewritten(path, outcome.source, steps, *told)


def _commit(
    session: Session, before: Head, target: str, files: Sequence[Rewritten], verify: bool
) -> Series:
    rules = codemods.changes()
    series = changes(files, {rule.code: rule.needs for rule in rules})
    contents = {file.path: file.source.data for file in files}
    summaries = {rule.code: rule.summary for rule in rules}
    built = build(session, before, contents, series, summaries, verify, target=target)
    after = Head(built.commits[-1].id, target)
    record = Record(before, after, len(built.commits), tuple(built.files))
    plan = Plan(
        built.files,
        built.index,
        before,
        after,
        f"distify migrate: {len(built.commits)} commits",
        create=None if target == before.branch else (target, after.commit),
        record=(
            series_records.place(session.repository, after.commit),
            series_records.dump(record),
        ),
    )
    move(session, plan)
    return Series(built.commits, target.removeprefix(BRANCH))
