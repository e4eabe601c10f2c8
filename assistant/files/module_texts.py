"""The texts of modules by their paths, read once a run, and what was asked for meanwhile."""

from __future__ import annotations

import contextlib
import functools
import os
import stat
from collections.abc import Iterator, Mapping

from .project_root import PACKAGE
from .reader import NotRead
from .reader import read as read_within
from .source import Unreadable, decode, decode_notebook
from .source_names import NEVER, NOTEBOOK, unwanted

OPEN = "?"  # at the end of a place: all modules below its folder


@functools.cache
def names_of(folder: str) -> frozenset[str]:
    """The names in a folder; none where it can't be read, or holds what is installed."""
    if not NEVER.isdisjoint(folder.split(os.sep)):
        return frozenset()
    try:
        names = frozenset(os.listdir(folder))
    except OSError:
        return frozenset()
    return frozenset() if "pyvenv.cfg" in names else names


_noted: list[dict[str, str | None]] = []


@contextlib.contextmanager
def noting() -> Iterator[dict[str, str | None]]:
    """What is asked for meanwhile: the texts of modules by their paths, None where is none."""
    asked: dict[str, str | None] = {}
    _noted.append(asked)
    try:
        yield asked
    finally:
        _noted.pop()


def note(found: Mapping[str, str | None]) -> None:
    """Hear of what was asked for before."""
    for asked in _noted:
        asked.update(found)


def text_of(path: str) -> str | None:
    """The text of a module; None where there is none that can be read."""
    text = read_text(path)
    for asked in _noted:
        asked[path] = text
    return text


def text_below(top: str, name: str) -> str | None:
    """The same for a module by its path below a project's folder.

    Where its own folder is not there, that is what is noted: no file of it was asked for.
    """
    path, text = looked_up(top, name)
    for asked in _noted:
        asked[path] = text
    return text


@functools.cache
def looked_up(top: str, name: str) -> tuple[str, str | None]:
    """What is asked for, and its text: many modules ask for the same, and most of it is absent."""
    folder = name.rpartition("/")[0]
    if folder and not is_folder(top, folder):
        return joined(top, folder) + os.sep, None
    path = joined(top, name)
    return path, _listing(top, folder) if name.endswith(OPEN) else read_text(path)


def _listing(top: str, folder: str) -> str:
    """The names of all modules below a folder, a line each: what stands for the folder's text."""
    start = f"{folder}/" if folder else ""
    found: list[str] = []
    waiting = [""]
    for below in waiting:
        for name in sorted(names_of(joined(top, start + below))):
            path = joined(top, start + below + name)
            if name.endswith(".py"):
                found.append(below + name)
            elif os.path.islink(path):  # which may lead round in circles
                found += [f"{below}{name}/{PACKAGE}"] if os.path.isdir(path) else []
            elif not unwanted(name) and os.path.isdir(path):
                waiting.append(f"{below}{name}/")
    return "\n".join(found)


@functools.cache
def is_folder(top: str, name: str) -> bool:
    """Whether there may be a folder: most that a module could stand in are not there."""
    above, _, last = name.rpartition("/")
    return (not above or is_folder(top, above)) and last in names_of(joined(top, above))


@functools.cache
def read_text(path: str) -> str | None:
    """The same, though nobody may hear of it."""
    folder, name = os.path.split(path)
    if name not in names_of(folder):
        return None
    try:
        is_file = stat.S_ISREG(os.lstat(path).st_mode)
        return _text_of_bytes(path, read_within(path, 10_000_000)) if is_file else None
    except (OSError, NotRead, Unreadable):
        return None


def _text_of_bytes(path: str, data: bytes) -> str:
    if not path.endswith(NOTEBOOK):
        return decode(data).text
    return decode_notebook(data).text


def joined(top: str, name: str) -> str:
    """The path of what has a name below a folder, with slashes."""
    below = name.replace("/", os.sep)
    return f"{top.rstrip(os.sep)}{os.sep}{below}" if name else top


READ = names_of, is_folder, read_text, looked_up  # once a run
