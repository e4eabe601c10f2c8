"""Where functions and classes that rules write go in a program of several files.

A rule writes them into the entry. What other modules use of them can't stand there: it goes once
into a module that trains with it, and the others import it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from ..applying.places_to_edit import Found
from ..edits import At, Insert, Places
from ..facts import Facts, training_of
from ..facts.setup.import_places import last_import
from ..program.records import NamedTuple
from ..rewrites import Rewrite
from ..rewrites._new_code import spell
from .import_paths import Import, Paths
from .joined import Joined
from .places import ByFile

FLAG = re.compile(r"^(\w+) = ", re.MULTILINE)  # what a rule binds for a whole module
DEFINED = re.compile(r"^(?:def|class) (\w+)", re.MULTILINE)

BASES = tuple(
    f"tensorflow.keras.{name}"
    for name in ("callbacks.Callback", "callbacks.BackupAndRestore", "utils.PyDataset")
)


class Form(NamedTuple):
    """What a rule defines, and the files that use it."""

    rule: Rewrite
    at: At
    users: Mapping[str, set[str]]  # the names that each file uses


class Moved(NamedTuple):
    """Edits of a file's own tree that take the place of one in the entry."""

    path: str
    rule: Rewrite
    at: At


class Forms:
    """The forms of a program, and the file in which each can stand."""

    def __init__(self, facts: Facts, joined: Joined, files: ByFile, found: Sequence[Found]) -> None:
        self._facts, self._joined, self._files = facts, joined, files
        self._entry = joined.entry.path
        self._paths = Paths(
            self._entry, [p for p in joined.texts if p != self._entry], joined.project.added
        )
        self._trainers = {files.path(place) for place, _ in training_of(facts).places}
        self.moved: list[Moved] = []
        self._gone: list[At] = []
        for form in list(self._forms(found)):
            home = self._home(form)
            if home is not None:
                self._gone.append(form.at)
                self.moved += self._placed(form, home)
        for form in list(self._flags(found)):
            self.moved += self._shared(form)

    def left(self, found: Sequence[Found]) -> list[Found]:
        """The rules without the edits whose places are taken by others."""
        gone = {id(at) for at in self._gone}
        kept = [(r, [at for at in places.edits if id(at) not in gone]) for r, places in found]
        return [(rule, Places(edits)) for rule, edits in kept if edits]

    def _forms(self, found: Sequence[Found]) -> Iterator[Form]:
        edits = [(rule, at, text_of(at.edit)) for rule, places in found for at in places.edits]
        for rule, at, text in edits:
            names = DEFINED.findall(text) if isinstance(at.edit, Insert) else []
            users: dict[str, set[str]] = {}
            for _, other, said in edits if names else ():
                used = {name for name in names if other is not at and speaks_of(said, name)}
                if used:
                    users.setdefault(self._files.path(other.place), set()).update(used)
            if users.keys() - {self._entry}:
                yield Form(rule, at, users)

    def _flags(self, found: Sequence[Found]) -> Iterator[Form]:
        """The variables that a rule binds in another module, for code that it writes elsewhere."""
        said: dict[str, str] = {}
        for at in (at for _, places in found for at in places.edits):
            path = self._files.path(at.place)
            said[path] = f"{said.get(path, '')}\n{text_of(at.edit)}"
        for rule, at in ((rule, at) for rule, places in found for at in places.edits):
            home = self._files.path(at.place)
            is_global = self._facts.parent(at.place) is self._facts.module
            is_flag = isinstance(at.edit, Insert) and is_global and home != self._entry
            names = set(FLAG.findall(text_of(at.edit))) if is_flag else set()
            used = {path: {n for n in names if speaks_of(text, n)} for path, text in said.items()}
            users = {path: each for path, each in used.items() if each and path != home}
            if users:
                yield Form(rule, at, users)

    def _shared(self, form: Form) -> Iterator[Moved]:
        """The imports of a variable where it is used, beside those of what its module has."""
        home = self._files.path(form.at.place)
        for path, names in form.users.items():
            place, module = self._beside(path, home), self._module(path, home)
            if place is not None and module is not None and path not in self._reached(home):
                line = f"from {module} import {', '.join(sorted(names))}\n"
                yield Moved(path, form.rule, At(place, Insert(after=line)))

    def _home(self, form: Form) -> str | None:
        """A module that trains, before others, which all other users can import."""
        others = [path for path in form.users if path != self._entry]
        for home in sorted(others, key=lambda path: (path not in self._trainers, path)):
            users = [path for path in form.users if path != home]
            reached = self._reached(home)
            if all(u not in reached and self._can_import(u, home) for u in users):
                return home
        return None

    def _can_import(self, path: str, home: str) -> bool:
        return self._module(path, home) is not None and self._beside(path, home) is not None

    def _reached(self, path: str) -> set[str]:
        """The files that a module imports, and those that these do."""
        waiting, found = [path], set[str]()
        for each in waiting:
            new = {other for _, other in self._imports(each)} - found
            found |= new
            waiting += sorted(new)
        return found

    def _imports(self, path: str) -> Iterator[tuple[Import, str]]:
        """The imports of a file that lead to modules of the project."""
        nodes: list[Import]
        if path in self._joined.reached and path not in self._joined.files:
            nodes = [each.node for each in self._joined.project.sketch(path).imports]
        else:
            index = self._files.own(path).index
            nodes = [*index.nodes(ast.Import), *index.nodes(ast.ImportFrom)]
        for node in nodes:
            names = [alias.name for alias in node.names]
            if isinstance(node, ast.Import):
                found = [self._paths.absolute(name) for name in names]
            else:
                module = self._paths.imported(path, node)
                found = [module, *(self._paths.child(module, n) for n in names if module)]
            yield from ((node, each) for each in found if each in self._joined.reached)

    def _module(self, path: str, home: str) -> str | None:
        """How a file names another one behind `from`: as it does already, or as the entry does."""
        for place in (path, self._entry):
            for node, other in self._imports(place):
                if other != home or not isinstance(node, ast.ImportFrom):
                    continue
                name = f"{'.' * node.level}{node.module or ''}"
                is_near = not node.level or path.rpartition("/")[0] == place.rpartition("/")[0]
                if self._paths.imported(place, node) == home and is_near:
                    return name
        return None

    def _placed(self, form: Form, home: str) -> Iterator[Moved]:
        """The definition in one file, and its import in each other one that uses it."""
        assert isinstance(form.at.edit, Insert)
        own = self._files.own(home)
        text = form.at.edit.before
        for name in BASES:  # in the spelling of that file
            text = text.replace(f"({spell(self._facts, name)})", f"({spell(own, name)})")
        yield Moved(home, form.rule, At(_behind_imports(own), Insert(text)))
        for path in form.users:
            place = None if path == home else self._beside(path, home)
            if place is not None:
                names = ", ".join(sorted(form.users[path]))
                line = f"from {self._module(path, home)} import {names}\n"
                yield Moved(path, form.rule, At(place, Insert(after=line)))

    def _beside(self, path: str, home: str) -> ast.stmt | None:
        """The import of a file that another one goes behind."""
        own = self._files.own(path)
        found = (node for node, other in self._imports(path) if other == home)
        return next((node for node in found if node in own.body), None) or last_import(own)


def _behind_imports(own: Facts) -> ast.stmt:
    last = last_import(own)
    number = 0 if last is None else own.body.index(last) + 1
    return own.body[min(number, len(own.body) - 1)]


def text_of(edit: tuple[object, ...]) -> str:
    """The code that an edit holds."""
    parts = (text_of(part) if isinstance(part, tuple) else part for part in edit)
    return "\n".join(part for part in parts if isinstance(part, str))


def speaks_of(text: str, name: str) -> bool:
    """Whether code uses a name."""
    return re.search(rf"(?<![\w.]){name}\b", text) is not None
