"""What names in a project's files may mean, by sketches: more than they mean, never less."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from .bound_and_used import STORED
from .import_paths import Paths
from .sketch import PLAIN, Imported, Sketch

Step = tuple[str, str, tuple[str, ...]]  # a file or folder, a name in it, and attributes of that


class Links:
    """What each name is bound to: statements of its own file, and what imports give."""

    def __init__(self, paths: Paths, sketches: Mapping[str, Sketch]) -> None:
        self._paths = paths
        self.starred: set[str] = set()  # modules all of whose names somebody takes
        self._stars: dict[str, list[str]] = defaultdict(list)
        self._imported: dict[str, dict[str, list[tuple[str, str]]]] = {}
        self._binding: dict[str, dict[str, list[int]]] = {}
        for path, known in sketches.items():
            self._note(path, known)

    def _note(self, path: str, known: Sketch) -> None:
        imported: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for each in known.imports:
            for name, bound in zip(each.names, each.bound):
                for module in self._modules(path, each, name, bound):
                    if name == "*":
                        self._stars[path].append(module)
                    else:
                        imported[bound].append((module, "" if each.level == PLAIN else name))
        self.starred.update(self._stars[path])
        binding: dict[str, list[int]] = defaultdict(list)
        for number, part in enumerate(known.parts):
            for name in part.binds.split():
                binding[name].append(number)
        self._imported[path], self._binding[path] = imported, binding

    def _modules(self, path: str, each: Imported, name: str, bound: str) -> list[str]:
        """The modules that an import leads to: `import a.b as a` looks like `import a.b`."""
        if each.level != PLAIN:
            node: Any = each.node
            found = [self._paths.imported(path, node)]
        else:
            is_root = bound == name.partition(".")[0]
            words = dict.fromkeys([name, bound] if is_root else [name])
            found = [self._paths.absolute(word) for word in words]
        return [module for module in found if module is not None]

    def binding(self, path: str, name: str) -> Sequence[int]:
        """The statements of a file that may bind a name of its module."""
        return self._binding.get(path, {}).get(name, ())

    def is_found(self, path: str, each: Imported, name: str) -> bool:
        """Whether the project has what an import names."""
        if each.level == PLAIN:
            return self._paths.absolute(name) is not None
        modules = self._modules(path, each, name, name)
        return any(self.binding(m, name) or self._paths.child(m, name) for m in modules)

    def meant(self, path: str, chain: str) -> Iterator[tuple[str, str]]:
        """The files and the names in them that `a.b.c` may lead to, or over."""
        first = chain.rstrip(STORED).partition(".")[0]
        if self._stars[path] or first in self._imported[path]:
            for place, name, _ in self._steps(path, chain):
                if name and place in self._binding:
                    yield place, name
        elif first in self._binding[path]:
            yield path, first

    def imported(self, path: str, chains: Collection[str]) -> Collection[str]:
        """Those of some `a.b.c` of a file that begin with what it may have from another one."""
        if self._stars[path]:
            return chains
        bound = self._imported[path]
        return [each for each in chains if each.rstrip(STORED).partition(".")[0] in bound]

    def handed(self, path: str, chain: str, is_stored: bool) -> Iterator[str]:
        """The modules that `a.b.c` is, or whose attributes it binds; of an imported one."""
        for place, name, _ in self._steps(path, chain):
            if not name or (is_stored and place != path):
                yield place

    def _steps(self, path: str, chain: str) -> Iterator[Step]:
        """All that has to be looked at; a module itself without a name in it."""
        first, *rest = _names(chain)
        waiting: list[Step] = [(path, first, tuple(rest))]
        seen = set(waiting)
        for step in waiting:
            yield step
            new = [each for each in self._further(*step) if each not in seen]
            seen.update(new)
            waiting += new

    def _further(self, place: str, name: str, rest: tuple[str, ...]) -> Iterator[Step]:
        if not name:
            return
        for module, member in self._imported.get(place, {}).get(name, ()):
            yield (module, member, rest) if member else _inside(module, rest)
        for module in self._stars.get(place, ()):
            yield module, name, rest
        child = self._paths.child(place, name)
        if child is not None:
            yield _inside(child, rest)


def _inside(module: str, names: tuple[str, ...]) -> Step:
    """The first of some names in a module; the module itself without any."""
    return (module, names[0], names[1:]) if names else (module, "", ())


def _names(chain: str) -> list[str]:
    return chain.rstrip(STORED).split(".")
