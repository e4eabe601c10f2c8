"""Which statements of a project's other modules belong to an entry's program."""

from __future__ import annotations

import ast

from ..program.node_fields import within
from .files import DEFINITIONS, File
from .import_order import Reach
from .import_targets import Target
from .outline import is_main
from .references import References

_COUNTED = (
    "__init_subclass__",
    "metaclass",
)  # a class that nobody names does something all the same


class Needed:
    """The statements that run when the entry is started, or that define what they name."""

    def __init__(self, reach: Reach, references: References) -> None:
        self._uses: dict[ast.stmt, list[Target]] = {}
        self._definitions: dict[Target, list[ast.stmt]] = {}
        self._named: dict[ast.AST, Target] = {}
        counted = any(word in f.text for f in reach.files.values() for word in _COUNTED)
        waiting: list[ast.stmt] = list(reach.entry.tree.body)
        for file in (*reach.files.values(), reach.entry):
            self._note(file, references)
        for file in reach.files.values():
            waiting += (s for s in file.tree.body if self._runs(file, s, counted))
        self.statements = self._spread(waiting)

    def _note(self, file: File, references: References) -> None:
        of_file = references.of[file.path]
        targets: dict[ast.AST, Target] = {each.node: each.target for each in of_file}
        self._named.update(targets)
        picks = references.picks[file.path]
        picked: dict[ast.AST, list[ast.Name]] = {p.node: [*p.values.values()] for p in picks}
        for statement, named in file.named.items():
            meant = [*named.nodes, *(v for n in named.nodes for v in picked.get(n, ()))]
            self._uses[statement] = [targets[n] for n in meant if n in targets]
            for name in named.defined:
                self._definitions.setdefault(Target(file.path, name), []).append(statement)

    def _spread(self, waiting: list[ast.stmt]) -> set[ast.stmt]:
        found: set[ast.stmt] = set()
        while waiting:
            statement = waiting.pop()
            if statement not in found:
                found.add(statement)
                for target in self._uses[statement]:
                    waiting += self._definitions.get(target, ())
        return found

    def _runs(self, file: File, statement: ast.stmt, counted: bool) -> bool:
        """Whether a statement does something when its module is imported."""
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            return False
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            return False
        if is_main(statement):
            return False
        is_counted = counted and isinstance(statement, ast.ClassDef)
        if is_counted or not isinstance(statement, DEFINITIONS):
            return True
        return any(self._is_projects(file, each) for each in statement.decorator_list)

    def _is_projects(self, file: File, decorator: ast.expr) -> bool:
        """Whether a decorator may note in the project what it is given."""
        named = (self._named.get(node) for node in within(_called(decorator)))
        is_elsewhere = any(each is not None and each.path != file.path for each in named)
        return is_elsewhere or not _is_librarys(file, decorator)

    def when_started(self, entry: File, calls: int = 0) -> list[ast.stmt]:
        """The entry's statements that run only if it is started, and those that these need.

        The last `calls` statements are what a command of the project runs.
        """
        body = entry.tree.body
        last = body[len(body) - calls :]
        found = self._spread([*(s for s in body if is_main(s)), *last])
        return [s for s in entry.tree.body if s in found]

    def by_main(self, entry: File) -> set[ast.stmt]:
        """The statements of all files that run if a file is started, and not if it is imported."""
        return self._spread([s for s in entry.tree.body if is_main(s)])

    def body(self, file: File) -> list[ast.stmt]:
        """The statements of another module that belong to the program."""
        return [s for s in file.tree.body if s in self.statements]


def _is_librarys(file: File, decorator: ast.expr) -> bool:
    """Whether a decorator comes from a library, and so registers nothing in the project."""
    root = _called(decorator)
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name):
        return False
    aliases = file.aliases.get((file.module, root.id), [])
    return root.id not in file.names or len(aliases) == file.bindings[file.module, root.id]


def _called(decorator: ast.expr) -> ast.expr:
    return decorator.func if isinstance(decorator, ast.Call) else decorator
