"""The commands that a project installs, and the functions of its modules that these start."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from distify.codemods.program.records import NamedTuple

from .reader import NotRead, text
from .toml import load

TABLES = (("project", "scripts"), ("project", "gui-scripts"), ("tool", "poetry", "scripts"))
FOLDERS = ("", "src/")  # where a project keeps its packages
PACKAGE = "__init__.py"
_PROJECT = ("pyproject.toml", "setup.py", "setup.cfg")
_POINT = re.compile(r"\s*([\w.-]+)\s*=\s*([\w.]+)\s*:\s*(\w+)\s*(?:\[[^\]]*\])?\s*")
_SECTION = re.compile(r"^\[options\.entry_points\]\s*$(.*?)(?=^\[|\Z)", re.MULTILINE | re.DOTALL)
_WORD = "console_scripts"


_RELATIVE = re.compile(r"^[ \t]*from[ \t]+\.", re.MULTILINE)


class Module(NamedTuple):
    """A module of a package, and the folder in which `python -m` finds it."""

    top: str
    name: str


def module(path: str) -> Module | None:
    """The module that a file is, if it can only be started as one: its imports are relative."""
    path = os.path.realpath(path)
    top, name = os.path.split(path)
    parts = [os.path.splitext(name)[0]]
    while os.path.isfile(os.path.join(top, PACKAGE)) and os.path.basename(top):
        top, folder = os.path.split(top)
        parts.insert(0, folder)
    if len(parts) < 2 or not _RELATIVE.search(_text(top, os.path.relpath(path, top))):
        return None
    return Module(top, ".".join(parts[:-1] if parts[-1] == "__main__" else parts))


def sources(path: str) -> str | None:
    """The `src` folder in which the project of a file keeps its packages, if it has such a one.

    A project is installed for its packages to be found; what runs without that needs the folder.
    """
    folder = os.path.dirname(os.path.realpath(path))
    while not any(os.path.isfile(os.path.join(folder, name)) for name in _PROJECT):
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
    found = os.path.join(folder, "src")
    is_package = os.path.isfile(os.path.join(found, PACKAGE))
    return found if os.path.isdir(found) and not is_package else None


class Command(NamedTuple):
    """A command by its name, and the function that it calls."""

    name: str
    module: str
    function: str


@functools.cache
def commands(top: str) -> Mapping[str, tuple[Command, ...]]:
    """The commands of the project in a folder, by the module's path as seen from there."""
    found: dict[str, list[Command]] = {}
    for command in (*_of_tables(top), *_of_sections(top), *_of_setup(top)):
        for folder in FOLDERS:
            stem = folder + command.module.replace(".", "/")
            for path in (f"{stem}.py", f"{stem}/{PACKAGE}"):
                if os.path.isfile(os.path.join(top, *path.split("/"))):
                    found.setdefault(path, []).append(command)
    return {path: tuple(dict.fromkeys(each)) for path, each in found.items()}


def _of_tables(top: str) -> Iterator[Command]:
    """Those of pyproject.toml; what can't be read is told by the settings."""
    if "scripts" not in _text(top, "pyproject.toml"):
        return  # as most: a hook reads it once
    try:
        content: Any = load(os.path.join(top, "pyproject.toml"))
    except (NotRead, OSError):
        return
    for keys in TABLES:
        table = content
        for key in keys:
            table = table.get(key) if isinstance(table, dict) else None
        for name, value in (table if isinstance(table, dict) else {}).items():
            yield from _command(f"{name} = {value}")


def _of_sections(top: str) -> Iterator[Command]:
    """Those of setup.cfg."""
    for section in _SECTION.findall(_text(top, "setup.cfg")):
        for line in section.splitlines():
            yield from _command(line)


def _of_setup(top: str) -> Iterator[Command]:
    """Those of setup.py, where they are written out."""
    setup = _text(top, "setup.py")
    if _WORD not in setup:
        return
    import ast

    try:
        tree = ast.parse(setup)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for line in node.value.splitlines():
                yield from _command(line)


def _command(line: str) -> Iterator[Command]:
    found = _POINT.fullmatch(line)
    if found is not None:
        yield Command(*found.groups())


def _text(top: str, name: str) -> str:
    try:
        return text(os.path.join(top, name))
    except (NotRead, OSError):
        return ""
