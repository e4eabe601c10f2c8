"""Files, index and branch go over to a finished series, all of them or none.

In the order in which a half of it would do the least harm, if even the guard were killed: files,
index, branch. HEAD's step is the last, and the one that counts.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from dataclasses import dataclass

from ..files.signals import handling_terminations, undisturbed
from ..files.writes import CHANGED, copy_rights, obstacle
from ..files.writes import Change as Rewrite
from .command import GitFailed, Refused
from .refusals import Head, head, locked, staged, uncommitted
from .session import Session, sync
from .transition import File, Plan


@dataclass(frozen=True)
class _Staged:
    """The names that a file's new and old contents have on the way."""

    file: Rewrite
    new: str
    old: str


def move(session: Session, plan: Plan) -> None:
    """Does it. Raises Refused; what interrupts it is undone as the session ends."""
    names = [_names(session, number, file) for number, file in enumerate(plan.files)]
    session.note(
        plan.before,
        plan.after,
        files=[
            [n.file.path, n.new, n.old, _digest(n.file.before), _digest(n.file.after)]
            for n in names
        ],
        create=plan.create,
        delete=plan.delete,
        record=plan.record[0] if plan.record else "",
        forget=plan.forget,
    )
    with handling_terminations():
        for each in names:
            _stage(each)
        _lock_index(session)
        if head(session.repository) != plan.before:
            raise Refused("the branch has moved in the meantime; run distify again")
        _stage_index(session, plan)
        for each in names:
            _put(each)
        _put_index(session, plan)
        if plan.record:
            _write_record(*plan.record)
        for folder in {os.path.dirname(n.file.path) for n in names}:
            sync(folder)
        with undisturbed():
            _move_head(session, plan)


def _names(session: Session, number: int, file: File) -> _Staged:
    path = os.path.join(session.repository.top, file.path)
    beside = os.path.join(os.path.dirname(path), f".distify-{session.token}-{number}")
    return _Staged(Rewrite(path, file.before, file.after), f"{beside}.tmp", f"{beside}.old")


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _stage(each: _Staged) -> None:
    """The new file beside the old one, and a second name for the old one."""
    try:
        problem = obstacle(each.file)
        if problem:
            raise Refused(f"{each.file.path} {problem}")
        with open(each.new, "xb") as file:
            file.write(each.file.after)
            file.flush()
            copy_rights(os.stat(each.file.path), file.fileno(), each.new)
            os.fsync(file.fileno())
        _second_name(each.file.path, each.old)
    except OSError as error:
        raise Refused(f"{each.file.path} could not be written: {error.strerror}") from error


def _second_name(path: str, name: str) -> None:
    try:
        os.link(path, name)
    except OSError:  # a file system without links
        shutil.copy2(path, name)


def _put(each: _Staged) -> None:
    if obstacle(each.file):
        raise Refused(f"{each.file.path} {CHANGED}")
    os.replace(each.new, each.file.path)


def _lock_index(session: Session) -> None:
    """As git does it: nobody else changes an index whose lock exists."""
    lock = session.repository.index + ".lock"
    own = os.path.join(session.folder, "token")
    with open(own, "w", encoding="ascii") as file:
        file.write(session.token)
    try:
        try:
            os.link(own, lock)  # there with its contents, or not there
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            with open(lock, "x", encoding="ascii") as file:
                file.write(session.token)
    except FileExistsError:
        raise Refused(locked(session.repository)) from None


def _index(session: Session) -> dict[str, str]:
    return {"GIT_INDEX_FILE": os.path.join(session.folder, "index")}


def _stage_index(session: Session, plan: Plan) -> None:
    """A copy of the index with the new entries; what else is staged stays staged."""
    repository = session.repository
    # With its times: git tells by them which entries it has to look at again.
    shutil.copy2(repository.index, os.path.join(session.folder, "index"))
    now = staged(repository, plan.index)
    for path, (before, _) in plan.index.items():
        if now.get(path) != before:
            raise Refused(uncommitted(path))
    lines = (f"{mode} {oid}\t{path}\0" for path, (_, (mode, oid)) in plan.index.items())
    data = os.fsencode("".join(lines))
    session.run("update-index", "-z", "--index-info", data=data, env=_index(session))


def _put_index(session: Session, plan: Plan) -> None:
    """Git notes times and sizes of the new files, so that nothing looks changed afterwards."""
    paths = os.fsencode("\0".join(plan.index))
    how = ("--refresh", "--pathspec-from-file=-", "--pathspec-file-nul")
    # Outside of a sparse checkout it fails; then git looks at the file once more.
    with contextlib.suppress(GitFailed):
        session.run("add", *how, data=paths, env=_index(session))
    index = session.repository.index
    _second_name(index, os.path.join(session.folder, "index.old"))
    os.replace(os.path.join(session.folder, "index"), index)


def _write_record(path: str, data: bytes) -> None:
    """A new file, whatever stood in its place: a pipe there would take no bytes."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    with open(path, "xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _move_head(session: Session, plan: Plan) -> None:
    """Every step names what it expects to find, and fails if somebody was faster."""
    nothing = "0" * len(plan.after.commit)
    if plan.create:
        session.run("update-ref", "-m", plan.reason, *plan.create, nothing)
    before, after = plan.before, plan.after
    if before.branch == after.branch:
        ref = after.branch or "HEAD"
        session.run("update-ref", "-m", plan.reason, ref, after.commit, before.commit)
    elif after.branch:
        session.run("symbolic-ref", "-m", _checkout(before, after), "HEAD", after.branch)
    else:
        words = ("-m", _checkout(before, after), "--no-deref")
        session.run("update-ref", *words, "HEAD", after.commit, before.commit)


def _checkout(before: Head, after: Head) -> str:
    """In these words `git checkout -` finds its way back."""
    names = ((h.branch.removeprefix("refs/heads/") or h.commit) for h in (before, after))
    return "checkout: moving from {} to {}".format(*names)
