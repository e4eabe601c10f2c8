"""Which file of a project an import names, as seen from the entry: by paths alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Union

from .search_path import NOTHING, Added

PACKAGE = "__init__.py"
INSTALLED = frozenset({"tensorflow", "keras", "tf_keras", "horovod", "numpy"})
Import = Union[ast.Import, ast.ImportFrom]
OPEN = "?"  # in the name of a module: whatever may stand there, with dots or without


@cache
def bases(entry: str) -> tuple[str, ...]:
    """The folders in which the entry's modules are looked for: its own, those above it, `src`."""
    found, folder = [], _folder(entry)
    while True:
        found += [folder, f"{folder}src/"]
        if not folder:
            return tuple(found)
        folder = _folder(folder[:-1])


def places(
    entry: str, path: str, nodes: Iterable[Import], added: Added = NOTHING
) -> tuple[str, ...]:
    """The paths at which the modules that a file of an entry's project imports may stand."""
    folders = (*added.first, *bases(entry), *added.last)
    return tuple(dict.fromkeys(f for node in nodes for f in _places(folders, path, node)))


def _places(absolute: Collection[str], path: str, node: Import) -> Iterator[str]:
    for name in _names(node):
        if isinstance(node, ast.ImportFrom) and node.level:
            folders: Collection[str] = [_above(path, node.level)]
        else:
            folders = () if name.partition(".")[0] in INSTALLED else absolute
        for folder in folders:
            yield from _files(folder, name)


def _names(node: Import) -> Iterator[str]:
    """The dotted names that may be modules."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    module = node.module or ""
    yield from (f"{module}.{alias.name}".strip(".*") for alias in node.names)


def _files(folder: str, name: str) -> Iterator[str]:
    yield folder + PACKAGE
    parts = name.split(".") if name else []
    for number, part in enumerate(parts, 1):
        if OPEN in part:
            yield below(folder + "".join(f"{each}/" for each in parts[: number - 1]))
            return
        stem = folder + "/".join(parts[:number])
        yield f"{stem}/{PACKAGE}"
        yield f"{stem}.py"


def below(folder: str) -> str:
    """The place of all files below a folder."""
    return f"{folder}{OPEN}"


def _folder(path: str) -> str:
    """The folder of a file or folder, with a slash behind it; empty for the project's own."""
    head, slash, _ = path.rpartition("/")
    return head + slash


def _above(path: str, level: int) -> str:
    """The folder that a relative import of this level begins in."""
    folder = _folder(path)
    for _ in range(level - 1):
        folder = _folder(folder[:-1])
    return folder


class Paths:
    """The modules among the texts that are given; one is named by its path, or its folder's."""

    def __init__(self, entry: str, paths: Collection[str], added: Added = NOTHING) -> None:
        self._paths = frozenset(paths)
        self._bases = (added.first, bases(entry), added.last)
        self._folders = {part for path in paths for part in _folders(path)}
        self._named: dict[str, str | None] = {}  # modules by their dotted names

    def imported(self, path: str, node: ast.ImportFrom) -> str | None:
        """The module that `from … import` names; None where the project has none, or several."""
        name = node.module or ""
        if not node.level:
            return self.absolute(name)
        return self._module(_above(path, node.level), name)

    def absolute(self, name: str) -> str | None:
        """The module of a dotted name; None where the project has none, or several."""
        if name not in self._named:  # most are imported by many
            self._named[name] = self._absolute(name)
        return self._named[name]

    def _absolute(self, name: str) -> str | None:
        if name.partition(".")[0] in INSTALLED:
            return None
        folders: set[str] = set()
        for group in self._bases:  # what Python finds in one of them hides what is in the others
            found = {self._module(base, name) for base in group} - {None}
            files = {module for module in found if module and not module.endswith("/")}
            if files:
                return files.pop() if len(files) == 1 else None
            folders |= {module for module in found if module}
        return folders.pop() if len(folders) == 1 else None

    def modules(self, path: str, node: Import) -> list[str]:
        """The modules of the project that an import in a file names."""
        if is_open(node):
            return list(dict.fromkeys(self.fetched(path, node).values()))
        if isinstance(node, ast.Import):
            found = [self.absolute(alias.name) for alias in node.names]
        else:
            module = self.imported(path, node)
            names = [alias.name for alias in node.names] if module else []
            found = [module, *(self.child(module, name) for name in names if module)]
        return [module for module in found if module is not None]

    def fetched(self, path: str, node: Import) -> dict[str, str]:
        """The modules of the project by the names of which an import's only one may be.

        They are dotted, and without the dots in front of relative ones.
        """
        name = ".".join(filter(None, [getattr(node, "module", ""), node.names[0].name]))
        words = name.split(".")
        number = next((n for n, word in enumerate(words) if OPEN in word), len(words))
        head = ".".join(words[:number])
        if isinstance(node, ast.ImportFrom):
            module = self.imported(path, ast.ImportFrom(head, [], node.level))
        else:
            module = self.absolute(head)
        if module is None or number == len(words):
            return {} if module is None or module.endswith("/") else {name: module}
        return dict(self._below(module, head, name)) if module.endswith(("/", PACKAGE)) else {}

    def _below(self, package: str, head: str, name: str) -> Iterator[tuple[str, str]]:
        """The modules in a package, at any depth, whose names fit."""
        folder, fits = _folder(package), re.compile(".+".join(map(re.escape, name.split(OPEN))))
        for path in sorted(each for each in self._paths if each.startswith(folder)):
            stem = path[len(folder) :].removesuffix(f"/{PACKAGE}").removesuffix(".py")
            dotted = f"{head}.{stem}".replace("/", ".").lstrip(".")
            if path != package and fits.fullmatch(dotted):
                yield dotted, path

    def behind(self, path: str, node: Import) -> list[str]:
        """The files that run because of an import in a file."""
        found: dict[str, None] = {}
        for module in self.modules(path, node):
            found.update(dict.fromkeys(reversed(list(self.packages(module)))))
            if not module.endswith("/"):
                found[module] = None
        return list(found)

    def child(self, module: str, name: str) -> str | None:
        """The module of this name in a package; None for what is none."""
        is_package = module.endswith(("/", PACKAGE))
        return self._module(_folder(module), name) if is_package and name else None

    def _module(self, folder: str, name: str) -> str | None:
        stem = folder + name.replace(".", "/")
        package = f"{stem}/{PACKAGE}" if name else stem + PACKAGE
        own = stem + "/" if name else stem
        for path in (package, f"{stem}.py"):
            if path in self._paths:
                return path
        return own if own in self._folders else None

    def packages(self, module: str) -> Iterator[str]:
        """The `__init__` files of the folders around a module: they run when it is imported."""
        folder = _folder(module)
        while f"{folder}{PACKAGE}" in self._paths:
            if f"{folder}{PACKAGE}" != module:
                yield f"{folder}{PACKAGE}"
            folder = _folder(folder[:-1]) if folder else "/"


def is_open(node: Import) -> bool:
    """Whether an import names modules of which only a part of the name is known."""
    return any(OPEN in alias.name for alias in node.names)


def _folders(path: str) -> Iterator[str]:
    folder = _folder(path)
    while folder:
        yield folder
        folder = _folder(folder[:-1])
