"""What files held before the last `migrate` of a project, for `distify undo` without commits.

Kept in the user's state folder, in one file for each project, whole or not at all: the path of
each file, what it held and what it was given, each with its length in front of it.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence

from . import projects
from .saved import NotSaved, save
from .state_folder import folder
from .writes import Change

HEAD = b"distify originals 1"
LARGEST = 20_000_000  # bytes; a run over more than that is not kept
CHANGED = "was changed since `distify migrate` wrote it, so nothing was put back"
_LENGTH = re.compile(rb"(\d{1,10}):")


class NoOriginals(Exception):
    """Why nothing can be put back."""


def keep(changes: Sequence[Change]) -> None:
    """Keeps what these files held, in the place of the run before; where it can't be, goes on."""
    total = sum(len(each.before) + len(each.after) for each in changes)
    if changes and total <= LARGEST:
        data = b"".join(map(_part, [HEAD, *_fields(changes)]))
        with contextlib.suppress(OSError, NotSaved):
            path = place()
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            save(path, data)


def forget() -> None:
    """Forgets what was kept: a later run has made commits."""
    with contextlib.suppress(OSError):
        os.unlink(place())


def kept() -> list[Change]:
    """What the last run here has done to each file; nothing where nothing is known.

    Raises NoOriginals where one of them no longer holds what it was given.
    """
    try:
        with open(place(), "rb") as file:
            found = _read(file.read(LARGEST + 1_000_000))
    except (OSError, ValueError):
        return []
    for each in found:
        try:
            with open(each.path, "rb") as file:
                is_same = file.read(len(each.after) + 1) == each.after
        except OSError as error:
            raise NoOriginals(f"{_path_from_here(each.path)}: {error.strerror or error}") from None
        if not is_same:
            raise NoOriginals(f"{_path_from_here(each.path)} {CHANGED}")
    return found


def put_back(changes: Iterable[Change]) -> list[str]:
    """Gives each file what it held before, all or none; their names. Raises WriteFailed."""
    from .writes import write_all

    back = [Change(each.path, each.after, each.before) for each in changes]
    write_all(back)
    forget()
    return [_path_from_here(each.path) for each in back]


def place() -> str:
    """The file for the project of the current folder. Raises OSError without a current folder."""
    root = os.path.realpath(projects.root(os.getcwd()))
    return os.path.join(folder(), "originals", f"{_digest(root)}.kept")


def _digest(text: str) -> str:
    from .cache_keys import digest

    return digest(text)


def _path_from_here(path: str) -> str:
    shown = os.path.relpath(path)
    return path if shown.startswith(os.pardir) else shown


def _fields(changes: Iterable[Change]) -> Iterator[bytes]:
    for each in changes:
        yield from (os.fsencode(each.path), each.before, each.after)


def _part(data: bytes) -> bytes:
    return b"%d:%b" % (len(data), data)


def _read(data: bytes) -> list[Change]:
    """Raises ValueError where this is nothing that distify has written."""
    head, *fields = _parts(data)
    if head != HEAD or len(fields) % 3:
        raise ValueError("no originals")
    rows = zip(fields[::3], fields[1::3], fields[2::3])
    return [Change(os.fsdecode(path), before, after) for path, before, after in rows]


def _parts(data: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        found = _LENGTH.match(data, at)
        if found is None or found.end() + int(found[1]) > len(data):
            raise ValueError("no originals")
        at = found.end() + int(found[1])
        yield data[found.end() : at]
