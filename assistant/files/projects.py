"""The files that a program imports from its own project: found by their paths, read once a run."""

from __future__ import annotations

import contextlib
import functools
import os
import stat
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from .. import codemods
from . import scripts
from .discovery import NEVER, NOTEBOOK, SUFFIXES, unwanted
from .project_root import MARKS as MARKS
from .project_root import TRACES as TRACES
from .project_root import root as root
from .reader import NotRead
from .reader import read as read_within
from .source import Unreadable, decode

if TYPE_CHECKING:
    from distify.codemods.project.outline import Outline
    from distify.codemods.project.texts import Project

KINDS = (*SUFFIXES, NOTEBOOK)
MOST = 2_000  # files of one project; what reaches more is looked at alone


class TooMany(Exception):
    """A project is too large to be read whole."""


@functools.cache
def _names(folder: str) -> frozenset[str]:
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


def text_of(path: str) -> str | None:
    """The text of a module; None where there is none that can be read."""
    text = _text_of(path)
    for asked in _noted:
        asked[path] = text
    return text


@functools.cache
def _text_of(path: str) -> str | None:
    folder, name = os.path.split(path)
    if name not in _names(folder):
        return None
    try:
        is_file = stat.S_ISREG(os.lstat(path).st_mode)
        return _decoded(path, read_within(path, 10_000_000)) if is_file else None
    except (OSError, NotRead, Unreadable):
        return None


def _decoded(path: str, data: bytes) -> str:
    if not path.endswith(NOTEBOOK):
        return decode(data).text
    from .notebook import decode_notebook

    return decode_notebook(data).text


def forget() -> None:
    """What was read of projects: somebody has edited it since."""
    for read_once in (_names, _text_of, files):
        read_once.cache_clear()


@functools.cache
def files(top: str) -> tuple[str, ...]:
    """The programs and modules below a project's folder, but what is installed; listed once."""
    found: list[str] = []
    for folder, folders, names in os.walk(top):
        folders[:] = [] if "pyvenv.cfg" in names else [f for f in folders if not unwanted(f)]
        if "pyvenv.cfg" not in names:
            found += (os.path.join(folder, name) for name in names if name.endswith(KINDS))
    return tuple(sorted(found))


def relative(path: str) -> str:
    """The path as seen from the project's folder, with slashes."""
    return os.path.relpath(path, root(os.path.dirname(path))).replace(os.sep, "/")


def started(path: str) -> tuple[str, ...]:
    """The functions of a file that commands of its project call."""
    return tuple(dict.fromkeys(command.function for command in commands(path)))


def commands(path: str) -> tuple[scripts.Command, ...]:
    """The commands of its project that call functions of a file."""
    return scripts.commands(root(os.path.dirname(path))).get(relative(path), ())


def around(path: str, text: str) -> Project | None:
    """The project of a file, with all that its imports may lead to; None where that is nothing.

    A module that only defines things is no entry: its functions run in the programs that import it.
    Raises TooMany.
    """
    if not path:
        return None
    entry, top = relative(path), root(os.path.dirname(path))
    own, calls = _outline(os.path.dirname(entry), entry, text), started(path)
    is_idle = not calls and not own.is_entry
    if is_idle or (not calls and all(text_of(_join(top, name)) is None for name in own.wanted)):
        return None
    texts, waiting = {entry: text}, [entry]
    while waiting and len(texts) <= MOST:
        current = waiting.pop()
        for name in _outline(os.path.dirname(entry), current, texts[current]).wanted:
            found = None if name in texts else text_of(_join(top, name))
            if found is not None:
                texts[name] = found
                waiting.append(name)
    is_project = calls or len(texts) > 1
    if len(texts) > MOST:
        raise TooMany(f"more than {MOST:,} files of its project are behind its imports")
    return codemods.project(entry, texts, calls) if is_project else None


def runs(program: str, path: str, lines: Collection[int]) -> bool:
    """Whether a program that is started runs what stands at some of these lines of a file."""
    text, name = text_of(program) or "", relative(path)
    if program != path and not _is_started(program, text):
        return False
    try:
        project = around(program, text)
    except TooMany:
        return True  # for all that is known
    if program == path:
        project = project or codemods.project(name, {name: text})
    return project is not None and name in project.texts and codemods.uses(project, name, lines)


def _is_started(path: str, text: str) -> bool:
    """Whether a file is started, by itself or by a command of its project."""
    entry = relative(path)
    return bool(started(path)) or _outline(os.path.dirname(entry), entry, text).is_script


@functools.cache
def _outline(folder: str, path: str, text: str) -> Outline:
    return codemods.outline(f"{folder}/x.py" if folder else "x.py", path, text)


def _join(top: str, name: str) -> str:
    return os.path.join(top, *name.split("/"))


def relative_to(entry: str, path: str) -> str:
    """The name of a file of an entry's project, by which `path_of` finds it."""
    return os.path.relpath(path, root(os.path.dirname(entry))).replace(os.sep, "/")


def path_of(entry: str, name: str) -> str:
    """Where a file of an entry's project is."""
    return _join(root(os.path.dirname(entry)), name)
