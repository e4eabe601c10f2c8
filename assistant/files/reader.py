"""The one way in which settings are read: everything a project says beside its sources.

A checkout may hold anything under these names: a pipe that is never written to, a link to a device
that never ends, a gigabyte. Only a regular file within bounds is read.
"""

from __future__ import annotations

import contextlib
import os
import stat
from io import FileIO

from distify.codemods.program.records import NamedTuple

KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISDIR, "a folder"),
)
MOST = 1_000_000  # bytes; no settings that a person writes are longer
BEHIND = "lies behind a link that leads out of {}"
PATTERNS = 2_000  # of one ignore file or setting: each is tried on each name
# Opening a pipe must not wait for a writer, nor may a terminal become distify's own.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)


class Problem(NamedTuple):
    """Why something can't be worked on; line and column count from 1, 0 says the whole file.

    In a notebook the line is one of the cell of that number.
    """

    name: str
    message: str
    line: int = 0
    column: int = 0
    cell: int = 0


class NotRead(Exception):
    """Why a file was not read, in words that follow its name."""


def read(path: str, most: int = MOST) -> bytes:
    """All bytes of a regular file. Raises NotRead, and FileNotFoundError where there is none."""
    lead = leads_out(path)
    if lead:
        raise NotRead(lead)
    try:
        _refuse(os.stat(path), most)
        handle = os.open(path, _FLAGS)
        with open(handle, "rb", buffering=0) as file:
            _refuse(os.fstat(handle), most)  # it may have been replaced in between
            return _all(file, most)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        raise NotRead(reason(error)) from error


def text(path: str, most: int = MOST) -> str:
    """The same as UTF-8; bytes that are none are replaced. Raises as `read` does."""
    return read(path, most).decode("utf-8-sig", "replace")


def _all(file: FileIO, most: int) -> bytes:
    """What the system says of a size is not true everywhere: of files in /proc it says 0."""
    parts: list[bytes] = []
    room = most + 1
    while room:
        part = file.read(min(room, 1 << 20))
        if not part:
            return b"".join(parts)
        parts.append(part)
        room -= len(part)
    raise NotRead(too_large(most))


def _refuse(status: os.stat_result, most: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise NotRead(kind(status.st_mode))
    if status.st_size > most:
        raise NotRead(too_large(most))


def too_large(most: int) -> str:
    """The words for a file that is longer."""
    return f"is larger than {most // 1_000_000} MB"


def leads_out(path: str, folder: str = "") -> str:
    """What is wrong with a link to something outside of its repository; empty if nothing is.

    git carries links to any place, and a folder may be one: a committed link must not have another
    file read or written.
    Without a repository, the `folder` that a person named is the bound, if one was.
    """
    try:
        named, real = os.path.abspath(path), os.path.realpath(path)
    except ValueError:  # a null byte, which is no name of anything
        return ""
    if named == real:
        return ""
    root = repository(os.path.dirname(named)) or folder
    if not root or os.path.join(real, "").startswith(os.path.join(os.path.realpath(root), "")):
        return ""
    return f"is a link that leads out of {root}" if os.path.islink(path) else BEHIND.format(root)


def repository(folder: str) -> str | None:
    """The root of the git working tree that holds an absolute `folder`."""
    while True:
        with contextlib.suppress(ValueError):
            if os.path.lexists(os.path.join(folder, ".git")):
                return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def kind(mode: int) -> str:
    """What stands where a file was expected."""
    found = next((words for test, words in KINDS if test(mode)), "something else")
    return f"is {found}, not a file"


def reason(error: Exception) -> str:
    """The system's own words, without the number and the path that it repeats."""
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[:1].lower() + error.strerror[1:]
    return str(error) or type(error).__name__
