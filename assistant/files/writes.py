"""Writes many files as one: either all of them change, or none does (promise 5)."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .leftovers import kept_name, name_beside
from .signals import handling_terminations, undisturbed
from .source import read

_ALONE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
CHANGED = "was changed by someone else in the meantime; run distify again"


class WriteFailed(Exception):
    """Nothing was written; `path` is where it failed."""

    def __init__(self, path: str, cause: str) -> None:
        super().__init__(cause)
        self.path, self.cause = path, cause


@dataclass(frozen=True)
class Change:
    """New bytes for a file that must still hold the old ones; `path` has no link in it."""

    path: str
    before: bytes
    after: bytes


def obstacle(change: Change) -> str | None:
    """Why this file can't be replaced, as far as that shows before anything is written."""
    status = os.stat(change.path)
    if not status.st_mode & 0o222 or not os.access(change.path, os.W_OK):
        return "is read-only"
    if status.st_size != len(change.before) or read(change.path) != change.before:
        return CHANGED
    return None


def write_all(changes: Sequence[Change]) -> None:
    """Raises WriteFailed, or what interrupted it, with every file as it was before."""
    staged: list[_Staged] = []
    with handling_terminations():
        try:
            for change in changes:
                staged.append(_Staged(change))
                staged[-1].prepare()
            for each in staged:
                each.put()
            _sync_folders(staged)
        except BaseException:
            with undisturbed():
                _restore(staged)
            raise
        finally:
            for each in staged:
                each.clean()


def create(path: str, data: bytes) -> None:
    """Writes a file that is not there yet, whole or not at all. Raises WriteFailed."""
    new = name_beside(path)
    with handling_terminations(), _naming_file(path):
        try:
            with open(os.open(new, _ALONE, 0o666), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, path)
        finally:
            with contextlib.suppress(OSError):
                os.unlink(new)


def _restore(staged: Sequence[_Staged]) -> None:
    """Puts every old file back; one that can't be put back doesn't keep the others from it."""
    lost = []
    for each in staged:
        try:
            each.restore()
        except OSError as error:
            each.lose()
            lost.append((each, error))
    for each, failure in lost:
        cause = f"its old text could not be put back and is kept in {each.old} ({failure.strerror})"
        raise WriteFailed(each.change.path, cause)


@dataclass
class _Staged:
    """A change on its way: the new file beside the old one, and a second name for the old one."""

    change: Change
    status: os.stat_result | None = None
    new: str = ""
    old: str = ""
    lost: bool = False  # the old text now exists under its second name only

    def prepare(self) -> None:
        """Everything that can fail is done here, before the first file is replaced."""
        with _naming_file(self.change.path):
            self.status = os.stat(self.change.path)
            problem = obstacle(self.change)
            if problem:
                raise WriteFailed(self.change.path, problem)
            self._write_new()
            self._keep_old()

    def put(self) -> None:
        with _naming_file(self.change.path):
            now = os.stat(self.change.path)
            if self.status is None or _identity(self.status) != _identity(now):
                raise WriteFailed(self.change.path, CHANGED)
            if read(self.change.path) != self.change.before:  # in the same size, within its time
                raise WriteFailed(self.change.path, CHANGED)
            os.replace(self.new, self.change.path)

    def restore(self) -> None:
        # The new file's own name tells whether it took the old one's place, whatever interrupted.
        if self.old and not os.path.lexists(self.new):
            os.replace(self.old, self.change.path)

    def lose(self) -> None:
        """Gives the old text a name that no later run takes for a leftover."""
        self.lost = True
        with contextlib.suppress(OSError):
            os.rename(self.old, kept_name(self.old))
            self.old = kept_name(self.old)

    def clean(self) -> None:
        for name in (self.new, "" if self.lost else self.old):
            if name:
                with contextlib.suppress(OSError):
                    os.unlink(name)

    def _write_new(self) -> None:
        # Known before it is there: an interrupt in between must not leave it behind.
        self.new = name_beside(self.change.path)
        with open(os.open(self.new, _ALONE, 0o600), "wb") as file:
            file.write(self.change.after)
            file.flush()
            if self.status is not None:
                copy_rights(self.status, file.fileno(), self.new)
            os.fsync(file.fileno())

    def _keep_old(self) -> None:
        """Keeps the file itself, so that putting it back needs no space and loses nothing."""
        self.old = name_beside(self.change.path)
        try:
            os.link(self.change.path, self.old)
        except OSError:  # a file system without links
            shutil.copy2(self.change.path, self.old)


@contextlib.contextmanager
def _naming_file(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WriteFailed(path, error.strerror or str(error)) from error


def _identity(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_ino, status.st_size, status.st_mtime_ns


def copy_rights(status: os.stat_result, handle: int, name: str) -> None:
    """Gives a new file owner and mode of the one that it replaces."""
    if hasattr(os, "fchown"):
        with contextlib.suppress(OSError):  # only root can give files away
            os.fchown(handle, status.st_uid, status.st_gid)
    os.chmod(name, stat.S_IMODE(status.st_mode))


def _sync_folders(staged: Sequence[_Staged]) -> None:
    for folder in sorted({os.path.dirname(each.change.path) for each in staged}):
        with contextlib.suppress(OSError):  # not every system can
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
