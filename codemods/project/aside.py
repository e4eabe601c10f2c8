"""Which modules of a project an entry's program is the same without: nothing in them is named.

Importing them does no more than to bind names, and no statement that belongs to the program leads
to one of these. It is asked of sketches: such modules need not be parsed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from ..library.at_import import does_nothing_at_import
from .bound_and_used import STORED
from .import_paths import Paths
from .links import Links
from .sketch import PLAIN, Imported, sketch
from .texts import Project
from .unseen import unseen

Place = tuple[str, int]  # a file, and the number of a statement in it
HANDED = -1
_COUNTED = ("__init_subclass__", "metaclass")  # a class does something that nobody names


class Aside:
    """Follows names from the entry's statements, and from those that run at import."""

    def __init__(self, project: Project, paths: Paths) -> None:
        self._project, self._paths = project, paths
        self._sketches = {project.entry: sketch(project.text)}
        self._held: set[str] = set()  # modules that are read
        self.behind: dict[str, list[str]] = defaultdict(list)  # files that run because of each
        self._open()
        self._links = Links(paths, self._sketches)
        self._held.update(self._links.starred)
        needed = self._behind_all(self._running())
        self._held.update(path for path, _ in needed)
        self._hold()
        aside = filter(self._is_aside, self._sketches)
        self.paths = frozenset(path for path in aside if not self._is_started(path, needed))

    def _open(self) -> None:
        """Note the files behind the entry's imports."""
        waiting = [self._project.entry]
        for path in waiting:
            nodes = [each.node for each in self._sketches[path].imports]
            self.behind[path] = [file for n in nodes for file in self._paths.behind(path, n)]
            for file in self.behind[path]:
                if file not in self._sketches and self._can_open(file):
                    self._sketches[file] = self._project.sketch(file)
                    waiting.append(file)

    def _can_open(self, path: str) -> bool:
        """Whether a file can be followed; one that can't may change what it imports."""
        known = self._project.sketch(path)
        nodes = [each.node for each in known.imports if not each.bound]
        is_found = all(self._paths.fetched(path, node) for node in nodes)
        if is_found and unseen(self._project.texts[path]) is None:
            return True
        if path not in self._held:
            self._held.add(path)
            nodes = [each.node for each in self._project.sketch(path).imports]
            self._held.update(m for node in nodes for m in self._paths.modules(path, node))
        return False

    def _running(self) -> Iterator[Place]:
        """What runs by itself."""
        texts = (self._project.texts[path] for path in self._sketches)
        counted = any(word in text for text in texts for word in _COUNTED)
        for path, known in self._sketches.items():
            is_whole = path == self._project.entry or (counted and not known.is_quiet)
            for number, part in enumerate(known.parts):
                if is_whole or (part.runs and not known.is_quiet):
                    yield path, number

    def _behind_all(self, places: Iterable[Place]) -> set[Place]:
        """The statements that some lead to, with them; HANDED for a file that hands a name on."""
        waiting = list(dict.fromkeys(places))
        found = set(waiting)
        while waiting:
            path, number = waiting.pop()
            new = {each for each in self._leads_to(path, number) if each not in found}
            found |= new
            waiting += new
        return found

    def _leads_to(self, path: str, number: int) -> Iterator[Place]:
        uses = self._sketches[path].parts[number].uses if number != HANDED else ""
        for chain in uses.split():
            for place, name in self._links.meant(path, chain):
                yield place, HANDED
                yield from ((place, each) for each in self._links.binding(place, name))

    def _is_started(self, path: str, needed: Collection[Place]) -> bool:
        """Whether what a file does if it is started leads to what the program needs."""
        parts = self._sketches[path].parts
        mains = [(path, number) for number, part in enumerate(parts) if part.is_main]
        return not self._behind_all(mains).isdisjoint(needed)

    def _hold(self) -> None:
        """Hold the modules that somebody hands on, or changes, and who does it."""
        for path, known in self._sketches.items():
            for each in (each for each in known.imports if not each.bound):  # by a name
                self._hold_picked(self._paths.modules(path, each.node))
            uses = (each for part in known.parts for each in part.uses.split())
            for chain in self._links.imported(path, set(uses)):
                handed = set(self._links.handed(path, chain, chain.endswith(STORED)))
                self._held.update(handed, [path] if handed else ())
                self._hold_picked(handed & self._sketches.keys())

    def _hold_picked(self, modules: Iterable[str]) -> None:
        """Hold modules from which something may be picked, with what they have of others."""
        for module in modules:
            self._held.update((module, *self.behind[module]))

    def _is_aside(self, path: str) -> bool:
        known = self._sketches[path]
        if path == self._project.entry or path in self._held or not known.is_quiet:
            return False
        return all(self._is_quiet(path, each) for each in known.imports)

    def _is_quiet(self, path: str, each: Imported) -> bool:
        """Whether what an import names is in the project, or in a library of no matter."""
        if self._paths.modules(path, each.node):
            return all(self._links.is_found(path, each, name) for name in each.names)
        names = each.names if each.level == PLAIN else (each.module,)
        return each.level <= 0 and all(map(does_nothing_at_import, names))
