"""The files that a program imports from its own project: found by their paths, read once a run."""

from __future__ import annotations

import functools
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from .. import codemods
from . import importers, scripts
from .files_of_tests import is_of_tests
from .importers import files as files
from .known_sketches import knowing as knowing
from .known_sketches import made, sketch_of
from .module_texts import OPEN, READ, joined, note, text_below
from .module_texts import noting as noting
from .module_texts import text_of as text_of
from .project_root import MARKS as MARKS
from .project_root import TRACES as TRACES
from .project_root import root as root

if TYPE_CHECKING:
    from distify.codemods.project.entries import Uses
    from distify.codemods.project.search_path import Added
    from distify.codemods.project.sketch import Sketch
    from distify.codemods.project.texts import Project

UNREAD = "# distify: skip-file\n"  # stands for a text that nobody can follow
MOST = 2_000  # files of one project; what reaches more is looked at alone


class TooMany(Exception):
    """A project is too large to be read whole."""


def forget() -> None:
    """What was read of projects: somebody has edited it since."""
    of_projects = (_looked_up, _reachable, _uses, below, *importers.READ)
    for read_once in (*READ, *of_projects):
        read_once.cache_clear()


def relative(path: str) -> str:
    """The path as seen from the project's folder, with slashes."""
    return relative_to(path, path)


def started(path: str) -> tuple[str, ...]:
    """The functions of a file that commands of its project call."""
    return tuple(dict.fromkeys(command.function for command in commands(path)))


def commands(path: str) -> tuple[scripts.Command, ...]:
    """The commands of its project that call functions of a file."""
    return scripts.commands(root(os.path.dirname(path))).get(relative(path), ())


def around(path: str, text: str) -> Project | None:
    """The project of a file, with all that its imports may lead to; None where that is nothing.

    A module that only defines things is no entry: its functions run in the programs that import it.
    Tests are none either: what they call is changed for the programs that train. Raises TooMany.
    """
    if not path or is_of_tests(path, text):
        return None
    entry, top = relative(path), root(os.path.dirname(path))
    own, calls = made(text), started(path)
    if not calls and not own.is_entry:
        return None
    texts, sketches = _follow_imports(top, entry, text, own)
    is_project = calls or len(texts) > 1
    if len(texts) > MOST:
        raise TooMany(f"more than {MOST:,} files of its project are behind its imports")
    return codemods.project(entry, texts, calls, sketches) if is_project else None


def runs(program: str, path: str, lines: Collection[int]) -> bool:
    """Whether a program that is started runs what stands at some of these lines of a file."""
    top = root(os.path.dirname(path))
    if program != path and root(os.path.dirname(program)) == top:
        if not importers.may_lead(top, program, path):
            return False
    text, name = text_of(program) or "", relative(path)
    if program != path and not (started(program) or sketch_of(text).is_script):
        return False
    if program != path and name not in _reachable(program) and len(_reachable(program)) <= MOST:
        return False
    try:
        return _uses(program, text).runs(name, lines)
    except TooMany:
        return True  # for all that is known


@functools.lru_cache(maxsize=1)  # who asks, asks of one program after the other
def _uses(program: str, text: str) -> Uses:
    """What a program uses of the files of its project. Raises TooMany."""
    name = relative(program)
    return codemods.uses(around(program, text) or codemods.project(name, {name: text}))


def is_imported(path: str) -> bool:
    """Whether another file of a project may import this one, by the words of its imports."""
    return importers.is_named(root(os.path.dirname(path)), path)


@functools.cache
def _reachable(program: str) -> frozenset[str]:
    """The files that the imports of a program may lead to, and those that theirs do."""
    entry, top = relative(program), root(os.path.dirname(program))
    text = text_below(top, entry) or ""
    return frozenset(_follow_imports(top, entry, text, sketch_of(text))[0])


def _follow_imports(
    top: str, entry: str, text: str, own: Sketch
) -> tuple[dict[str, str], dict[str, Sketch]]:
    """The texts of a program's files and their sketches; a few more than MOST if these are more."""
    start, added = _start(entry), codemods.added(entry, [(entry, own)])
    while True:
        texts, sketches = {entry: text}, {entry: own}
        waiting = [_present(top, codemods.wanted(start, entry, own, added))]
        while waiting and len(texts) <= MOST:
            for name, found in waiting.pop().items():
                if name not in texts:
                    texts[name], sketches[name] = found, sketch_of(found)
                    waiting.append(_behind(top, start, added, name, found))
        before, added = added, codemods.added(entry, sketches.items())
        if added == before or len(texts) > MOST:
            return texts, sketches


def _behind(top: str, start: str, added: Added, name: str, text: str) -> Mapping[str, str]:
    """The files that a file's imports may name, as programs of one folder see them."""
    found, asked = _looked_up(top, start, added, name, text)
    note(asked)
    return found


@functools.cache
def _looked_up(
    top: str, start: str, added: Added, name: str, text: str
) -> tuple[Mapping[str, str], Mapping[str, str | None]]:
    """The same once for all programs, and what was asked for: most of it is not there."""
    with noting() as asked:
        found = _present(top, codemods.wanted(start, name, sketch_of(text), added))
    return found, asked


def _present(top: str, places: Iterable[str]) -> Mapping[str, str]:
    """The texts of those files that are there."""
    found: dict[str, str] = {}
    for place in places:
        texts = _below(top, place) if place.endswith(OPEN) else [(place, text_below(top, place))]
        found.update((name, text) for name, text in texts if text is not None)
    return found


def _below(top: str, place: str) -> Iterator[tuple[str, str]]:
    """All modules below a folder; one that can't be read is not passed over."""
    for name in (text_below(top, place) or "").splitlines():
        path = place[: -len(OPEN)] + name
        text = text_below(top, path)
        yield path, UNREAD if text is None else text


def _start(entry: str) -> str:
    """What stands for all programs of an entry's folder: they see modules alike."""
    return f"{os.path.dirname(entry)}/x.py".lstrip("/")


def relative_to(entry: str, path: str) -> str:
    """The name of a file of an entry's project, by which `path_of` finds it."""
    return below(root(os.path.dirname(entry)), path)


@functools.cache
def below(top: str, path: str) -> str:
    """The name of a file as seen from a folder, with slashes."""
    start = joined(top, "x")[:-1]
    found = path[len(start) :] if path.startswith(start) else os.path.relpath(path, start)
    return found.replace(os.sep, "/")


def path_of(entry: str, name: str) -> str:
    """Where a file of an entry's project is."""
    return joined(root(os.path.dirname(entry)), name)
