"""Which files of a project may lead to another one, by the words of their imports alone.

It is asked before anybody follows imports from each program: most lead nowhere near.
"""

from __future__ import annotations

import functools
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from .known_sketches import words_of
from .module_texts import OPEN, read_text
from .project_root import PACKAGE
from .source_names import NOTEBOOK, SUFFIXES, unwanted

KINDS = (*SUFFIXES, NOTEBOOK)


def may_lead(top: str, program: str, path: str) -> bool:
    """Whether a program may import a file, itself or by what it imports; both below a folder."""
    files, is_whole = _files_below(top)
    return not is_whole or program not in files or program in _importers(top, path)


def is_named(top: str, path: str) -> bool:
    """Whether another file may import this one."""
    files, is_whole = _files_below(top)
    return not is_whole or path not in files or not _importers(top, path) <= {path}


def files(top: str) -> tuple[str, ...]:
    """The programs and modules below a project's folder, but what is installed; listed once."""
    return tuple(_files_below(top)[0])


@functools.cache
def _files_below(top: str) -> tuple[Mapping[str, None], bool]:
    """These files, and whether no link leads to folders with others."""
    found: list[str] = []
    is_whole = True
    for folder, folders, names in os.walk(top):
        folders[:] = [] if "pyvenv.cfg" in names else [f for f in folders if not unwanted(f)]
        is_whole = is_whole and not any(os.path.islink(os.path.join(folder, f)) for f in folders)
        if "pyvenv.cfg" not in names:
            found += (os.path.join(folder, name) for name in names if name.endswith(KINDS))
    return dict.fromkeys(sorted(found)), is_whole


@functools.cache
def _importers(top: str, path: str) -> frozenset[str]:
    """The files that may lead to one: they name it, or one that may lead to it."""
    naming = _naming(top)
    found, waiting = {path}, [path]
    for each in waiting:
        new = [other for other in _next(top, naming, each) if other not in found]
        found.update(new)
        waiting += new
    return frozenset(found)


def _next(top: str, naming: Mapping[str, Sequence[str]], path: str) -> Iterator[str]:
    """The files that name one; a package also runs for all that is in it."""
    folder, name = os.path.split(path)
    if name != PACKAGE:
        yield from naming.get(os.path.splitext(name)[0], ())
        yield from naming.get(OPEN, ())
        return
    yield from naming.get(os.path.basename(folder), ())
    yield from (other for other in files(top) if other.startswith(folder + os.sep))


@functools.cache
def _naming(top: str) -> Mapping[str, Sequence[str]]:
    """By each word in imports the files that have it there."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in files(top):
        for word in words_of(read_text(path) or ""):
            found[OPEN if OPEN in word else word].append(path)
    return found


READ = _files_below, _importers, _naming  # once a run
