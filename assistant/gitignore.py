"""What git ignores, decided entry by entry while walking down, as git itself does.

https://git-scm.com/docs/gitignore: the last pattern that matches wins, a deeper file wins over a
shallower one, and nothing below an ignored folder can be taken back.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import NamedTuple

_DIRECTORY_MARK = "ps_d"  # pathspec's group for "this slash ends a folder that the pattern named"


class Pattern(NamedTuple):
    """One compiled line: whether it ignores or takes back, and what it matches."""

    ignores: bool
    regex: re.Pattern[str]

    def names(self, path: str) -> bool:
        """Whether it matches the entry itself, not merely a folder above it."""
        marked = _DIRECTORY_MARK in self.regex.groupindex
        ends = (-1, len(path) - 1)
        return any(
            not marked or found.start(_DIRECTORY_MARK) in ends
            for found in self.regex.finditer(path)
        )


class Ignores(NamedTuple):
    """The patterns of one file; paths are told relative to `base`, folders end in a slash."""

    base: str
    patterns: tuple[Pattern, ...]  # last line first

    def verdict(self, path: str) -> bool | None:
        relative = path[len(self.base) :].replace(os.sep, "/").lstrip("/")
        return next((p.ignores for p in self.patterns if p.names(relative)), None)


def compile_lines(base: str, lines: Iterable[str]) -> Ignores | None:
    """The patterns of these lines; None where there are none (pathspec is then not imported)."""
    wanted = [line for line in lines if line.strip() and not line.startswith("#")]
    if not wanted:
        return None
    from pathspec import GitIgnoreSpec

    patterns = []
    for line in wanted:
        try:
            compiled = GitIgnoreSpec.from_lines([line]).patterns[0]
        except ValueError:  # git, too, takes a malformed line for one that matches nothing
            continue
        regex, include = getattr(compiled, "regex", None), compiled.include
        if regex is not None and include is not None:
            patterns.append(Pattern(include, regex))
    return Ignores(base, tuple(reversed(patterns)))


def read_ignores(base: str, path: str) -> Ignores | None:
    """The patterns of an ignore file; None where there is none to read."""
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as lines:
            return compile_lines(base, lines.read().splitlines())
    except OSError:
        return None


def ignored(stack: Iterable[Ignores], path: str) -> bool:
    """The verdict of the deepest file that has one; `stack` runs from shallow to deep."""
    verdicts = (ignores.verdict(path) for ignores in reversed(tuple(stack)))
    return next((verdict for verdict in verdicts if verdict is not None), False)


def repository(folder: str) -> str | None:
    """The root of the git working tree that holds an absolute `folder`."""
    while True:
        if os.path.lexists(os.path.join(folder, ".git")):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _git_folder(root: str) -> str:
    """Where the repository's own files are, also in a linked working tree or a submodule."""
    path = os.path.join(root, ".git")
    if not os.path.isfile(path):
        return path
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as pointer:
            path = os.path.join(root, pointer.read().partition("gitdir:")[2].strip())
        with open(os.path.join(path, "commondir"), encoding="utf-8") as common:
            return os.path.join(path, common.read().strip())
    except OSError:
        return path


def above(folder: str) -> tuple[Ignores, ...]:
    """What holds for an absolute `folder` from outside: `info/exclude`, every `.gitignore` above.

    A folder that is itself ignored was named by the person, so what ignores it says nothing.
    """
    root = repository(folder)
    if root is None or root == folder:
        return _exclude(root) if root else ()
    stack = _exclude(root)
    here = root
    for part in os.path.relpath(folder, root).split(os.sep):
        found = read_ignores(here, os.path.join(here, ".gitignore"))
        stack += (found,) if found else ()
        here = os.path.join(here, part)
        if ignored(stack, here + "/"):
            return ()
    return stack


def _exclude(root: str) -> tuple[Ignores, ...]:
    found = read_ignores(root, os.path.join(_git_folder(root), "info", "exclude"))
    return (found,) if found else ()
