"""What `distify undo` needs to know of a series: kept in git's folder, by its last commit.

It says what files become, so it counts only under the person's seal.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass

from ..files.reader import NotRead, read
from .command import GitFailed, Refused
from .guard import NotOurs, sealed, unsealed
from .references import common
from .refusals import BRANCH, Head
from .repository import Repository
from .seal import key
from .transition import File

FORMAT = 1
MOST = 1 << 30  # bytes: all changed files, before and after


@dataclass(frozen=True)
class Record:
    """A series: where HEAD was and where it went, and the files byte for byte."""

    before: Head
    after: Head
    commits: int
    files: tuple[File, ...]


def _folder(repository: Repository) -> str:
    """Shared as branches are: a series can be taken back in another work tree, too."""
    return os.path.join(common(repository), "distify", "series")


def place(repository: Repository, tip: str) -> str:
    """Where the record of the series that ends with this commit is kept."""
    return os.path.join(_folder(repository), f"{tip}.json")


def dump(record: Record) -> bytes:
    """As JSON under the person's seal."""
    content = {
        "format": FORMAT,
        "before": [record.before.commit, record.before.branch],
        "after": [record.after.commit, record.after.branch],
        "commits": record.commits,
        "files": [[f.path, _text(f.before), _text(f.after)] for f in record.files],
    }
    return sealed(key(), json.dumps(content).encode("ascii"))


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _load(path: str) -> Record | None:
    """None for what is no record of this format, or none of this person's."""
    try:
        content = json.loads(unsealed(key(), read(path, MOST)))
        if content["format"] != FORMAT:
            return None
        decode = base64.b64decode
        return Record(
            Head(*content["before"]),
            Head(*content["after"]),
            content["commits"],
            tuple(File(path, decode(old), decode(new)) for path, old, new in content["files"]),
        )
    except (OSError, NotRead, NotOurs, ValueError, KeyError, TypeError, RecursionError):
        return None


def of(repository: Repository, head: Head) -> Record:
    """The series that ends at HEAD. Raises Refused, and says what else can be done."""
    found = _load(place(repository, head.commit))
    if found is not None and found.after == head:
        return found
    raise Refused(_why_none(repository, head, found))


def _why_none(repository: Repository, head: Head, found: Record | None) -> str:
    if found is not None:
        name = found.after.branch.removeprefix(BRANCH)
        way = f"`git switch {name}`"
        if not repository.ask("rev-parse", "-q", "--verify", found.after.branch):
            rename = f"git branch -m {name}" if head.branch else f"git switch -c {name}"
            way = f"it has another name now, or is gone: `{rename}`"
        return f"this series was made on the branch {name}: {way} first"
    for record in _all(repository):
        tip, branch = record.after.commit, record.after.branch.removeprefix(BRANCH)
        if _is_below(repository, tip, head.commit):
            series = f"{record.before.commit[:12]}..{tip[:12]}"
            return (
                f"somebody built on the series {series}: take single rules back with "
                f"`git revert COMMIT`, or all of them with `git revert {series}`"
            )
        if repository.ask("rev-parse", "-q", "--verify", record.after.branch) == tip:
            return f"the last series is on the branch {branch}: `git switch {branch}` first"
    own = place(repository, head.commit)
    if os.path.lexists(own):
        return (
            f"{own} is left as it is, since it was not written by your distify (or by another "
            "release): `git log` shows what a series made, and `git reset --keep COMMIT` goes back"
        )
    return "no series of `distify migrate --commit` ends here, so there is nothing to take back"


def _all(repository: Repository) -> Iterator[Record]:
    folder = _folder(repository)
    names = os.listdir(folder) if os.path.isdir(folder) else []
    for record in map(_load, sorted(os.path.join(folder, name) for name in names)):
        if record is not None:
            yield record


def _is_below(repository: Repository, commit: str, top: str) -> bool:
    try:
        repository.run("merge-base", "--is-ancestor", commit, top)
    except GitFailed:
        return False
    return True
