"""What the files that an entry reaches import, told by their sketches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .paths import PACKAGE, Paths
from .sketch import PLAIN, Imported, Sketch


class Cannot(Exception):
    """A module is handed about in a way that only its code tells."""


class Imports:
    """What the files that an entry reaches import; raises Cannot where they can't be told apart."""

    def __init__(self, entry: str, sketches: Mapping[str, Sketch]) -> None:
        self._paths = Paths(entry, [path for path in sketches if path != entry])
        self._sketches = sketches
        self.of: dict[str, list[tuple[Imported, str | None]]] = {}  # and the module behind `from`
        self.behind: dict[str, set[str]] = {}  # the files that run before each
        self.held: set[str] = set()  # modules that somebody holds as such
        waiting = [entry]
        while waiting:
            path = waiting.pop()
            if path not in self.of:
                waiting += self._read(path)

    def _read(self, path: str) -> set[str]:
        if not self._sketches[path].is_followed:
            raise Cannot
        own = self.of[path] = []
        behind = self.behind[path] = set()
        for each in self._sketches[path].imports:
            is_plain = each.level == PLAIN
            module = None if is_plain else self._paths.named(path, each.module, each.level)
            own.append((each, module))
            for found in self._modules(each, module):
                behind.update(self._paths.packages(found))
                behind.update([] if found.endswith("/") else [found])
        return behind

    def _modules(self, each: Imported, module: str | None) -> Iterator[str]:
        """The modules of the project that an import names; those that it binds are held."""
        if each.level == PLAIN:
            held = [self._paths.absolute(name) for name in each.names]
            if any("." in name and found for name, found in zip(each.bound, held)):
                raise Cannot
        elif module is None:
            return
        else:
            yield module
            held = [self._paths.child(module, name) for name in each.names]
            if "*" in each.names:
                held.append(module)
        for found in held:
            if found is not None:
                self._hold(found)
                yield found

    def _hold(self, module: str) -> None:
        if module.endswith(("/", PACKAGE)):
            raise Cannot
        self.held.add(module)
