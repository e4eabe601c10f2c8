"""Ends a move that is made and takes back one that isn't: after success, failure and `kill -9`.

A move replaces files, the index and a branch, which no system does in one step. Its plan is written
down first (the journal); the last step of all is HEAD's. So a later run can tell from
HEAD alone whether the move is made. Three come along: distify itself at the end; a process of this
module, which waits for distify to end; and, where both were killed, the next run of distify.

A checkout may hold a journal that somebody else wrote, so it counts only under a seal (`seal.py`),
and nothing that it names is touched outside of the work tree, or through a link.

Standard library only, and no relative imports: it runs by itself, as a file.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import select
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

PATIENCE = 20.0  # seconds for git commands that outlive a killed distify
STALE = 2.0  # seconds; git holds the lock of a reference for a moment only
DONE = b"done"
KEY_BYTES = 32
MOST = 256 << 20  # bytes of a journal: 400 a file
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class NotOurs(Exception):
    """What is kept of a run was not written by this person's distify; it is left as it is."""


def sealed(key: bytes, data: bytes) -> bytes:
    """The data with a seal before it that only this key makes."""
    return hmac.new(key, data, hashlib.sha256).hexdigest().encode() + b"\n" + data


def unsealed(key: bytes, data: bytes) -> bytes:
    """What was sealed. Raises NotOurs where the seal is another one."""
    _, _, content = data.partition(b"\n")
    if not hmac.compare_digest(sealed(key, content), data):
        raise NotOurs("it is not sealed with your key")
    return content


def recover(folder: str, key: bytes, top: str = "") -> None:
    """Leaves everything as it was before the move, or as it is after it; then the folder goes.

    It may be interrupted, and called again, at any moment. If HEAD is somewhere else and the index
    no longer locked, somebody went on from a state that was left by both being killed: then only
    what the move had put beside the files goes. `top` says where the work tree is by now.
    Raises NotOurs, with nothing touched, for a journal that is not sealed with `key`.
    """
    _refuse_no_folder(folder)
    journal = _read(folder, key, top)
    if journal:
        _unlock(journal, folder)
        now = _head(journal["top"])
        if now == journal["after"]:
            _end(journal)
        elif now == journal["before"] or _is_locked_by(journal):
            _take_back(journal, folder)
        _tidy(journal)
    shutil.rmtree(folder, ignore_errors=True)


def _refuse_no_folder(folder: str) -> None:
    """A link would have another folder removed."""
    for place in (os.path.dirname(folder), folder):
        with contextlib.suppress(FileNotFoundError):
            if not stat.S_ISDIR(os.lstat(place).st_mode):
                raise NotOurs("it is no folder")


def _read(folder: str, key: bytes, top: str) -> dict[str, Any]:
    """The journal, or nothing where there is none. Raises NotOurs."""
    try:
        data = _bytes(os.path.join(folder, "journal"), MOST)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise NotOurs(f"its journal can't be read: {error.strerror or error}") from None
    try:
        journal: dict[str, Any] = json.loads(unsealed(key, data))
        found: dict[str, Any] = _with_paths_of_now(
            journal, [(journal["folder"], _above(folder)), (journal["top"], top or journal["top"])]
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        raise NotOurs("its journal can't be read") from None
    _refuse_outside(found, folder)
    return found


def _bytes(path: str, most: int = -1) -> bytes:
    """The bytes of a regular file: a pipe would never give any. Raises OSError."""
    with open(os.open(path, _READ | getattr(os, "O_BINARY", 0)), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or 0 <= most < status.st_size:
            raise OSError("it is no file, or too large")
        return file.read()


def _refuse_outside(journal: dict[str, Any], folder: str) -> None:
    """A folder of the work tree may have become a link since: nothing is written through it."""
    top, own = journal["top"], _above(folder)
    within = [(top, path) for names in journal.get("files", ()) for path in names[:3]]
    within += [(own, journal["index"]), (journal.get("common", own), journal.get("admin"))]
    within += [(_shared_folder(own), journal.get(name)) for name in ("record", "forget")]
    for place, path in within:
        if path and not _is_within(place, path):
            raise NotOurs(f"it names {path}, which is not inside of {place}, or behind a link")
    scratch = journal.get("scratch")
    if scratch and os.path.basename(scratch) != f"distify-{journal['token']}":
        raise NotOurs(f"it names {scratch}, which is no folder of its own")


def _shared_folder(own: str) -> str:
    """Git's folder that all work trees share: two above that of another work tree."""
    above = os.path.dirname(own)
    return os.path.dirname(above) if os.path.basename(above) == "worktrees" else own


def _is_within(place: str, path: str) -> bool:
    """Whether a path is inside of a folder, with no link on the way."""
    parent, name = os.path.split(path)
    between = os.path.relpath(parent, place)
    if name in ("", os.curdir, os.pardir) or between.split(os.sep)[0] == os.pardir:
        return False
    real = os.path.realpath(place)
    return os.path.realpath(parent) == os.path.normpath(os.path.join(real, between))


def _unlock(journal: dict[str, Any], folder: str) -> None:
    """Removes locks of references that a git of the killed run left, so that it can be taken back.

    They are younger than the journal, and nobody takes them away in a time in which git would.
    """
    since = os.stat(os.path.join(folder, "journal")).st_mtime
    refs = {"HEAD", *(head[1] for head in (journal["before"], journal["after"]) if head)}
    refs |= {journal[name][0] for name in ("create", "delete") if journal.get(name)}
    own, common = _above(folder), journal.get("common", _shared_folder(_above(folder)))
    paths = {os.path.join(own if ref == "HEAD" else common, ref) + ".lock" for ref in refs if ref}
    stale = {path: status for path in paths if (status := _identity(path)) and status[1] >= since}
    until = time.monotonic() + STALE
    while stale and time.monotonic() < until:
        time.sleep(0.1)
        stale = {path: status for path, status in stale.items() if _identity(path) == status}
    for path in stale:
        _remove(path)


def _identity(path: str) -> tuple[int, float] | None:
    """What tells a file from another one of the same name; None where there is none."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return (status.st_ino, status.st_mtime) if stat.S_ISREG(status.st_mode) else None


def _above(folder: str) -> str:
    """Git's folder, two above that of a run."""
    return os.path.dirname(os.path.dirname(folder))


def _with_paths_of_now(value: Any, folders: list[tuple[str, str]]) -> Any:
    """The same with paths as they are now: a container may have had other names for them."""
    if isinstance(value, dict):
        return {key: _with_paths_of_now(each, folders) for key, each in value.items()}
    if isinstance(value, list):
        return [_with_paths_of_now(each, folders) for each in value]
    for old, new in folders:
        if isinstance(value, str) and (value + os.sep).startswith(old + os.sep):
            return new + value[len(old) :]
    return value


def _head(top: str) -> list[str]:
    """The commit that is checked out, and the branch that points to it ("" if detached)."""
    commit, branch = _git(top, "rev-parse", "-q", "--verify", "HEAD"), ""
    branch = _git(top, "symbolic-ref", "-q", "HEAD")
    return [commit, branch]


def _git(top: str, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=top, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    return os.fsdecode(done.stdout).removesuffix("\n")


def _end(journal: dict[str, Any]) -> None:
    """What is left to do once HEAD has moved."""
    if journal.get("delete"):
        ref, commit = journal["delete"]
        _git(journal["top"], "update-ref", "-d", ref, commit)
        if not _git(journal["top"], "rev-parse", "-q", "--verify", ref):
            section = "branch." + ref[len("refs/heads/") :]
            _git(journal["top"], "config", "--remove-section", section)
    _remove(journal.get("forget"))


def _take_back(journal: dict[str, Any], folder: str) -> None:
    """Everything as it was; what somebody else has changed since is left alone."""
    for path, new, old, before, after in journal.get("files", ()):
        # Its new name is gone: the new file took the old one's place.
        is_replaced = os.path.lexists(old) and not os.path.lexists(new)
        if is_replaced and (_digest(path), _digest(old)) == (after, before):
            os.replace(old, path)
    saved = os.path.join(folder, "index.old")
    staged = os.path.join(folder, "index")
    if os.path.lexists(saved) and not os.path.lexists(staged) and _is_locked_by(journal):
        os.replace(saved, journal["index"])
    if journal.get("create"):
        ref, commit = journal["create"]
        _git(journal["top"], "update-ref", "-d", ref, commit)
    _remove(journal.get("record"))


def _tidy(journal: dict[str, Any]) -> None:
    """Takes away what a move needs on its way."""
    for _, new, old, *_ in journal.get("files", ()):
        _remove(new)
        _remove(old)
    if _is_locked_by(journal):
        _remove(journal["index"] + ".lock")
    if journal.get("scratch"):
        # One that is half removed is known by its name only.
        for admin in {*_work_tree_folder(journal), journal.get("admin", "")} - {""}:
            shutil.rmtree(admin, ignore_errors=True)
            with contextlib.suppress(OSError):  # not the last one
                os.rmdir(os.path.dirname(admin))
        shutil.rmtree(journal["scratch"], ignore_errors=True)


def _is_locked_by(journal: dict[str, Any]) -> bool:
    """Whether the lock of the index is the one of this move."""
    try:
        return bool(_bytes(journal["index"] + ".lock", 100) == journal["token"].encode())
    except (OSError, KeyError):
        return False


def _work_tree_folder(journal: dict[str, Any]) -> Iterator[str]:
    """Git's own folder of the temporary work tree."""
    folder = os.path.join(journal["common"], "worktrees")
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        with contextlib.suppress(OSError):
            with open(os.path.join(folder, name, "gitdir"), "rb") as file:
                place = os.fsdecode(file.read())
            if os.path.realpath(place).startswith(os.path.realpath(journal["scratch"]) + os.sep):
                yield os.path.join(folder, name)


def _digest(path: str) -> str:
    try:
        return hashlib.sha256(_bytes(path)).hexdigest()
    except OSError:
        return ""


def _remove(path: str | None) -> None:
    if path:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)


def wait(folder: str, busy: int) -> None:
    """Until the other end of standard input closes; then recovers, unless it said that it did.

    The key comes first. `busy` stays open as long as a git command does that was working on the
    move.
    """
    key = b""
    while len(key) < KEY_BYTES:
        some = os.read(0, KEY_BYTES - len(key))
        if not some:  # nothing was begun
            break
        key += some
    said = b""
    while True:
        some = os.read(0, 64)
        said += some
        if not some or DONE in said:
            break
    if DONE in said:
        return
    until = time.monotonic() + PATIENCE
    while select.select([busy], [], [], max(until - time.monotonic(), 0))[0]:
        if not os.read(busy, 64):
            break
    with contextlib.suppress(NotOurs):  # the next run names it
        recover(folder, key)


if __name__ == "__main__":
    wait(sys.argv[1], int(sys.argv[2]))
