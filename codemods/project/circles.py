"""Modules that import each other: what stands above such an import runs before the other module.

A package that binds its registry, and imports below it the modules that fill this, say.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..program.components import components
from ..program.node_fields import within
from ..program.records import NamedTuple
from ..syntax.line_ends import LINE_END
from .files import File, ended
from .import_order import Reach
from .import_paths import Import


class Part(NamedTuple):
    """Statements of a file that stand together, and their lines; `line` is the first."""

    file: File
    body: list[ast.stmt]
    text: str
    line: int = 1


def _parts(file: File, number: int) -> tuple[Part, Part]:
    body, line = file.tree.body, _line(file.tree.body[number])
    starts = [0, *(found.end() for found in LINE_END.finditer(file.text))]
    head, rest = file.text[: starts[line - 1]], file.text[starts[line - 1] :]
    return Part(file, body[:number], head), Part(file, body[number:], ended(rest), line)


class Circles:
    """The modules that lead back to the one that imports them."""

    def __init__(self, reach: Reach) -> None:
        self._reach, self._paths = reach, list(reach.files)
        self._order = {path: number for number, path in enumerate(reach.files)}
        self._circle = dict(self._found())
        self._cuts = {path: self._cut(file) for path, file in reach.files.items()}

    def _found(self) -> Iterator[tuple[str, frozenset[str]]]:
        """The files of each circle, by those that are in one."""
        known: set[int] = set()
        for number in range(len(self._paths)):
            if number not in known:
                for found in components(number, self._next, known, lambda: None):
                    known.update(found.nodes)
                    circle = frozenset(self._paths[each] for each in found.nodes)
                    yield from ((path, circle) for path in circle if found.is_circle)

    def _next(self, number: int) -> list[int]:
        file = self._reach.files[self._paths[number]]
        return sorted(self._order[path] for path in self._behind(file, file.leading))

    def parts(self) -> Iterator[Part]:
        """The modules of a program in the order in which they run, those in circles in two."""
        heads: dict[str, list[Part]] = {}
        rests: dict[str, Part] = {}
        for file in reversed(self._reach.files.values()):  # what began first
            first, number = self._cuts[file.path]
            if first:
                head, rests[file.path] = _parts(file, number)
                heads.setdefault(first, []).append(head)
        for path, file in self._reach.files.items():
            yield from heads.get(path, ())
            yield rests.get(path) or Part(file, file.tree.body, ended(file.text))

    def _cut(self, file: File) -> tuple[str, int]:
        """The first module of a file's circle, and how many of its statements run before that.

        Empty where it is in none, or has nothing to be put before it.
        """
        circle = self._circle.get(file.path, frozenset())
        back = {path for path in circle if self._order[path] < self._order[file.path]}
        number = self._first(file, back) if back else 0
        return (min(circle, key=self._order.__getitem__), number) if number else ("", 0)

    def _behind(self, file: File, nodes: Iterable[Import]) -> set[str]:
        found = {p for node in nodes for p in self._reach.paths.behind(file.path, node)}
        return found & self._order.keys() - {file.path}

    def _first(self, file: File, back: set[str]) -> int:
        """The number of the first statement that leads to one of these; 0 for no line's begin."""
        nodes: dict[ast.AST, Import] = {node: node for node in file.imports}
        nodes.update((each.call, each.node) for each in file.fetches)
        body = file.tree.body
        for number, statement in enumerate(body):
            inside = (nodes[node] for node in within(statement) if node in nodes)
            if back & self._behind(file, inside):
                above = body[number - 1 : number]
                is_alone = all((s.end_lineno or 0) < _line(statement) for s in above)
                return number if is_alone else 0
        return 0


def _line(statement: ast.stmt) -> int:
    decorators = getattr(statement, "decorator_list", [])
    lines: list[int] = [node.lineno for node in (statement, *decorators)]
    return min(lines)
