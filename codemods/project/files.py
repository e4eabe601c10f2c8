"""One file of a project: its tree, its scopes, what its module binds and imports."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cached_property
from typing import Any

from ..program.node_fields import children, within
from ..program.records import NamedTuple
from ..program.scope import Scope
from ..program.scopes import Scopes
from ..program.spending import current
from ..syntax.agreed import GATHER
from ..syntax.line_ends import BOM, LINE_END
from ..syntax.source import parse_module
from .fetches import fetches
from .import_paths import Import

Variable = tuple[Scope, str]
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
MOST_NODES = 200_000  # of files that are kept for other programs: 25,000 lines


class Named(NamedTuple):
    """The expressions of a statement that may mean a variable, and those of its module it binds."""

    nodes: list[ast.AST]
    defined: list[str]


class File:
    """A file that is read; its tree is its own, and is changed while it is joined with others."""

    def __init__(self, path: str, text: str, tree: ast.Module | None = None) -> None:
        self.path = path
        self.text = text[len(BOM) :] if text.startswith(BOM) else text
        self.tree = tree or parse_module(self.text)
        self.nodes = list(within(self.tree))
        current().take(len(self.nodes))
        self.scopes = Scopes(self.tree)
        self.bindings = Counter(_owner(name, scope) for name, scope in self.scopes.bindings)
        self.imports: list[Import] = [
            node for node in self.nodes if isinstance(node, (ast.Import, ast.ImportFrom))
        ]
        self.fetches = fetches(self.tree, self.text)
        self.aliases: dict[Variable, list[tuple[Import, ast.alias]]] = {}
        self.stars: list[ast.ImportFrom] = []
        self.stands_for: dict[ast.AST, ast.AST] = {}  # what was put in place of a node
        self._was: list[tuple[ast.AST, str, Any]] = []  # what its nodes had, until they are changed
        self._was_below: list[tuple[ast.AST, ast.AST | None]] = []
        self._shifted: list[tuple[list[ast.stmt], int]] = []
        for node in self.imports:
            self._note(node)

    @property
    def leading(self) -> Iterator[Import]:
        """What leads to other modules: imports, and calls that import by a name."""
        yield from self.imports
        yield from (each.node for each in self.fetches)

    def _note(self, node: Import) -> None:
        scope = self.scopes.around.get(node, self.scopes.module)
        for alias in node.names:
            if alias.name == "*":
                assert isinstance(node, ast.ImportFrom)
                self.stars.append(node)
                continue
            name = alias.asname or alias.name.split(".")[0]
            self.aliases.setdefault(_owner(name, scope), []).append((node, alias))

    def change(self, node: ast.AST, field: str, value: Any) -> None:
        """Let a node have something else in one of its fields, for as long as it is joined."""
        self._was.append((node, field, getattr(node, field)))
        setattr(node, field, value)

    def put_below(self, parent: ast.AST, node: ast.AST) -> None:
        """Note that a node stands in another one now."""
        self._was_below.append((node, self.parents.get(node)))
        self.parents[node] = parent

    def shift(self, statements: list[ast.stmt], by: int) -> list[ast.stmt]:
        """Its statements, so many lines further down."""
        self._shifted.append((statements, by))
        return shifted(statements, by)

    def restore(self) -> None:
        """Let it be as it was read."""
        for statements, by in self._shifted:
            shifted(statements, -by)
        for node, field, value in reversed(self._was):
            setattr(node, field, value)
        for node, parent in reversed(self._was_below):
            if parent is None:
                del self.parents[node]
            else:
                self.parents[node] = parent
        for changes in (self._shifted, self._was, self._was_below, self.stands_for):
            changes.clear()

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node that holds each node."""
        return {child: node for node in self.nodes for child in children(node)}

    @property
    def module(self) -> Scope:
        """The scope of the module."""
        return self.scopes.module

    @cached_property
    def named(self) -> dict[ast.stmt, Named]:
        """What the statements of the module name, before anything of it is changed."""
        return {statement: self._named(statement) for statement in self.tree.body}

    def _named(self, statement: ast.stmt) -> Named:
        nodes = list(within(statement))
        defined = [name for node in nodes for name in self._defined(node)]
        return Named([n for n in nodes if isinstance(n, ast.expr)], defined)

    def _defined(self, node: ast.AST) -> Iterator[str]:
        """The variable of the module that a node binds."""
        name = node.id if isinstance(node, ast.Name) else getattr(node, "name", None)
        scope = self.scopes.around.get(node) if isinstance(name, str) else None
        if isinstance(name, str) and scope is not None and scope.find(name) is self.module:
            if not (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)):
                yield name

    @cached_property
    def names(self) -> set[str]:
        """The variables of the module."""
        return {name for scope, name in self.bindings if scope is self.module}

    @property
    def lines(self) -> int:
        """How many lines the text has once its last one is ended."""
        return len(LINE_END.findall(ended(self.text)))

    @cached_property
    def exported(self) -> frozenset[str] | None:
        """What `from … import *` binds; None where that is computed."""
        lists = [s for s in self.tree.body if "__all__" in _targets(s)]
        if not lists and "__all__" not in self.names:
            return frozenset(name for name in self.names if not name.startswith("_"))
        value = lists[0].value if len(lists) == 1 and isinstance(lists[0], ast.Assign) else None
        if self.bindings[self.module, "__all__"] != 1 or not isinstance(
            value, (ast.List, ast.Tuple)
        ):
            return None
        texts = [e.value for e in value.elts if isinstance(e, ast.Constant)]
        is_plain = len(texts) == len(value.elts) and "__all__" not in _changed(self.nodes)
        return frozenset(map(str, texts)) if is_plain else None


class Opened(dict["tuple[str, str]", File]):
    """Files by the path and the text of each, opened when they are asked for."""

    def __missing__(self, key: tuple[str, str]) -> File:
        self[key] = File(*key)
        return self[key]


class Lent(Opened):
    """The same for one program, which may change them; the next one gets those that it brings back.

    To parse a module and to find its scopes takes longer than to undo what was changed in it.
    """

    def __init__(self, until_then: ExitStack) -> None:
        super().__init__()
        until_then.callback(self._bring_back)

    def __missing__(self, key: tuple[str, str]) -> File:
        if not _shelf.get(key):
            return super().__missing__(key)
        file = self[key] = _shelf[key].pop()
        current().take(len(file.nodes))  # whoever had it before, this program reads it, too
        return file

    def _bring_back(self) -> None:
        """Keep the files for others, as they were: those that were asked for last."""
        if any(GATHER in file.text for file in self.values()):  # by which names are marked
            self.clear()
        for key, file in self.items():
            file.restore()
            _shelf[key] = [*_shelf.pop(key, ()), file]
        self.clear()
        left = sum(len(file.nodes) for files in _shelf.values() for file in files)
        while left > MOST_NODES:
            left -= sum(len(file.nodes) for file in _shelf.pop(next(iter(_shelf))))


# A program and what it becomes are looked at side by side: there may be several of a file.
_shelf: dict[tuple[str, str], list[File]] = {}


def shifted(statements: list[ast.stmt], by: int) -> list[ast.stmt]:
    """The statements, so many lines further down."""
    for node in (node for statement in statements for node in within(statement)) if by else ():
        if hasattr(node, "lineno"):
            node.lineno += by
            node.end_lineno = (node.end_lineno or 0) + by  # type: ignore[attr-defined]
    return statements


def _owner(name: str, scope: Scope) -> Variable:
    return scope.find(name) or scope.module, name


def _targets(statement: ast.stmt) -> set[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _changed(nodes: list[ast.AST]) -> set[str]:
    """The names whose methods are called."""
    functions = [node.func for node in nodes if isinstance(node, ast.Call)]
    bases = [func.value for func in functions if isinstance(func, ast.Attribute)]
    return {base.id for base in bases if isinstance(base, ast.Name)}


def ended(text: str) -> str:
    """The text with an end of its last line."""
    return text if not text or text.endswith(("\n", "\r")) else text + "\n"
