"""What ignore files ignore, decided entry by entry while walking down, as git itself does.

https://git-scm.com/docs/gitignore: the last pattern that matches wins, a deeper file wins over a
shallower one, and nothing below an ignored folder can be taken back.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Callable

from distify.codemods.program.records import NamedTuple

from .reader import PATTERNS, NotRead, Problem, read, repository, text
from .wildmatch import Pattern, pattern


class Ignores(NamedTuple):
    """The patterns of one file; paths are told relative to `base`, folders end in a slash."""

    base: str
    patterns: tuple[Pattern, ...]  # last line first

    def verdict(self, path: str) -> bool | None:
        """Whether the patterns ignore the path; None where none of them names it."""
        relative = path[len(self.base) :].replace(os.sep, "/").lstrip("/")
        return next((p.ignores for p in self.patterns if p.names(relative)), None)


Note = Callable[[str, str], None]  # a path that was not read, and why


def compile_lines(base: str, lines: Iterable[str]) -> Ignores | None:
    """The patterns of these lines; None where there are none."""
    found = [each for each in map(pattern, lines) if each is not None]
    return Ignores(base, tuple(reversed(found))) if found else None


def read_ignores(base: str, path: str, note: Note) -> Ignores | None:
    """The patterns of an ignore file; None where there is none or, which is noted, it is unread."""
    try:
        lines = [line.removesuffix("\r") for line in text(path).split("\n")]
        if len(lines) > PATTERNS:
            raise NotRead(f"holds more than {PATTERNS} lines")
    except FileNotFoundError:
        return None
    except NotRead as error:
        note(path, str(error))
        return None
    return compile_lines(base, lines)


def ignored(stack: Iterable[Ignores], path: str) -> bool:
    """The verdict of the deepest file that has one; `stack` runs from shallow to deep."""
    verdicts = (ignores.verdict(path) for ignores in reversed(tuple(stack)))
    return next((verdict for verdict in verdicts if verdict is not None), False)


def names(base: str, lines: Iterable[str], path: str) -> bool:
    """Whether the patterns of a folder's settings name a file, or a folder that it is in."""
    found = compile_lines(base, lines)
    if found is None:
        return False
    parts = os.path.relpath(path, base).split(os.sep)
    folders = (os.path.join(base, *parts[:end], "") for end in range(1, len(parts)))
    return any(ignored((found,), each) for each in (*folders, path))


def git_folders(root: str) -> Iterator[str]:
    """Where the repository's own files are; in a linked working tree these are two folders."""
    path = os.path.join(root, ".git")
    try:
        if os.path.isdir(path):
            yield path
            return
        path = os.path.join(root, _line(path).partition("gitdir:")[2].strip())
        yield path
        yield os.path.join(path, _line(os.path.join(path, "commondir")))
    except (NotRead, OSError, ValueError):
        return


def _line(path: str) -> str:
    return os.fsdecode(read(path, 10_000)).strip()


def above(folder: str, note: Note) -> tuple[Ignores, ...]:
    """What holds for an absolute `folder` from outside: `info/exclude`, every `.gitignore` above.

    A folder that is itself ignored was named by the person, so what ignores it says nothing.
    """
    root = repository(folder)
    if root is None or root == folder:
        return _exclude(root, note) if root else ()
    stack = _exclude(root, note)
    here = root
    for part in os.path.relpath(folder, root).split(os.sep):
        found = read_ignores(here, os.path.join(here, ".gitignore"), note)
        stack += (found,) if found else ()
        here = os.path.join(here, part)
        if ignored(stack, here + "/"):
            return ()
    return stack


def _exclude(root: str, note: Note) -> tuple[Ignores, ...]:
    *_, folder = [root, *git_folders(root)]
    found = read_ignores(root, os.path.join(folder, "info", "exclude"), note)
    return (found,) if found else ()


def warned(problems: list[Problem]) -> Note:
    """Notes each path once."""

    def note(path: str, message: str) -> None:
        problem = Problem(path, f"{message}; it was not read")
        if problem not in problems:
            problems.append(problem)

    return note
