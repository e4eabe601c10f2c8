"""How the modules of a project that only count hang together: what each name in them is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from ..program.records import NamedTuple
from .numbers import BUILTINS, Part
from .quiet import QUIET
from .sketch import PLAIN, Sketch
from .starts import MADE
from .ways import Imports

Definition = tuple[str, str]  # the path of a module, and a name in it
MOST_STARTS = 3
MATH: Definition = ("", "math")  # whatever a library's module gives
DEEP = 3  # functions that call each other: what they give is known by what it is made of alone


class Known(NamedTuple):
    """A function or constant of a module that counts, and what it reads and calls."""

    part: Part
    needs: tuple[Definition, ...]


class Links:
    """The modules that only count, as do all that they import, and the definitions in them."""

    def __init__(self, entry: str, sketches: Mapping[str, Sketch]) -> None:
        self.imports, self._sketches = Imports(entry, sketches), sketches
        self.modules = self._counting(entry)
        self.names = {path: dict(self._imported(path)) for path in self.modules}
        self.known = self._known()
        self.deep = self._deep()
        self._starts = self._all_starts()

    def _counting(self, entry: str) -> set[str]:
        """Those whose sketch says so, but what somebody holds, and what needs any other module."""
        reached, behind = self.imports.of, self.imports.behind
        users: dict[str, list[str]] = defaultdict(list)
        for path, before in behind.items():
            for each in before:
                users[each].append(path)
        found = {path for path in reached if path != entry and self._is_plain(path)}
        waiting = [path for path in reached if path not in found or path in self.imports.held]
        while waiting:
            path = waiting.pop()
            found.discard(path)
            waiting += (user for user in users[path] if user in found)
            found.difference_update(users[path])
        return found

    def _is_plain(self, path: str) -> bool:
        if not self._sketches[path].is_quiet:
            return False
        imports = ((e, m) for e, m in self.imports.of[path] if e.level != PLAIN and m is None)
        return all(not each.level and each.module in QUIET for each, _ in imports)

    def _imported(self, path: str) -> Iterator[tuple[str, Definition]]:
        """What the names that a module imports are; those of libraries have no path."""
        for each, module in self.imports.of[path]:
            for name, bound in zip(each.names, each.bound):
                yield bound, ("", each.module or name) if module is None else (module, name)

    def find(self, definition: Definition) -> Definition | None:
        """Where a name of such a module is defined, whoever hands it on."""
        seen: set[Definition] = set()
        while definition not in seen:
            seen.add(definition)
            path, name = definition
            onward = self.names.get(path, {}).get(name)
            if onward is None:
                return definition
            definition = onward
        return None

    def _known(self) -> dict[Definition, Known]:
        found: dict[Definition, Known] = {}
        for path in self.modules:
            for part in self._sketches[path].parts:
                found[path, part.name] = Known(part, tuple(self._needs(path, part)))
        users: dict[Definition, list[Definition]] = defaultdict(list)
        for definition, known in found.items():
            for need in known.needs:
                users[need].append(definition)
        waiting = [need for need in users if need not in found]
        while waiting:
            for user in users[waiting.pop()]:
                if found.pop(user, None) is not None:
                    waiting.append(user)
        return found

    def _needs(self, path: str, part: Part) -> Iterator[Definition]:
        """What a part needs of modules of the project; what is no number is never known."""
        parts = {each.name: each for each in self._sketches[path].parts}
        for name in (*part.reads, *part.calls):
            is_called = name in part.calls
            if is_called and name in BUILTINS and name not in {*parts, *self.names[path]}:
                continue
            found = self.find((path, name))
            if found != MATH:
                is_right = found is not None and self._is_function(found) is is_called
                yield found if found is not None and is_right else ("", name)

    def _is_function(self, definition: Definition) -> bool | None:
        path, name = definition
        parts = self._sketches[path].parts if path in self.modules else ()
        kinds = (each.is_function for each in parts if each.name == name)
        return next(kinds, None)

    def _deep(self) -> set[Definition]:
        """The functions behind which more than so many others call each other."""
        waiting = {d: set(known.needs) for d, known in self.known.items()}
        depth: dict[Definition, int] = {}
        users: dict[Definition, list[Definition]] = defaultdict(list)
        for definition, needs in waiting.items():
            for need in needs:
                users[need].append(definition)
        ready = [definition for definition, needs in waiting.items() if not needs]
        while ready:
            definition = ready.pop()
            depth[definition] = 1 + max((depth[n] for n in self.known[definition].needs), default=0)
            for user in users[definition]:
                waiting[user].discard(definition)
                if not waiting[user]:
                    ready.append(user)
        return {each for each in self.known if depth.get(each, DEEP + 1) > DEEP}

    def _all_starts(self) -> dict[Definition, set[str]]:
        """What functions may give, and what those give on whose answers they hand."""
        found: dict[Definition, set[str]] = {}
        users: dict[Definition, set[Definition]] = defaultdict(set)
        for (path, name), known in self.known.items():
            own = found[path, name] = set()
            for each in known.part.starts or ("",):
                if each.endswith("()"):
                    users[self.find((path, each[:-2])) or ("", "")].add((path, name))
                else:
                    own.add(each)
        for other in users.keys() - found.keys():
            found[other] = {""}  # a function of Python's own, or of a library
        waiting = list(users)
        while waiting:
            other = waiting.pop()
            for user in users.get(other, ()):
                if not found[user] >= found[other]:
                    found[user] |= found[other]
                    if len(found[user]) > MOST_STARTS:
                        found[user].add("")
                    waiting.append(user)
        return found

    def start(self, definition: Definition) -> str | None:
        """The number that a function gives if it makes no other, MADE; None if it may give more."""
        found = self._starts[definition]
        numbers = found - {MADE}
        if MADE not in found or "" in found or len(numbers) > 1:
            return None
        return next(iter(numbers), MADE)

    def is_short(self, definition: Definition) -> bool:
        """Whether what a function gives is no more than some number that its arguments make."""
        part = self.known[definition].part
        is_deep = part.loops or definition in self.deep
        return bool(part.params) and is_deep and self.start(definition) is not None

    def imported_by(self, path: str) -> Iterator[tuple[Definition, bool]]:
        """The names of such modules that a file imports; whether it does more than call each."""
        handed = self._sketches[path].handed
        for each, module in self.imports.of[path]:
            if module in self.modules:
                for name, bound in zip(each.names, each.bound):
                    yield (module, name), bound in handed
