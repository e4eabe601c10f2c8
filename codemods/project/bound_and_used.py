"""The statements of a module in a few words: what each binds there, and which names it uses."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from typing import Union

from ..program.node_fields import children, within
from ..program.records import NamedTuple
from .outline import is_main

STORED = "="  # behind a chain of names that is no value there: `module.size = 3`
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
Definition = Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef]
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Part(NamedTuple):
    """A statement of a module: words that stand between spaces.

    `uses` has the names with the attributes behind them (`np.random.seed`), whatever scope they
    are of. `runs`: whether it does something when the module is imported, but for defining things.
    """

    binds: str
    uses: str
    runs: bool
    is_main: bool = False  # it runs if the module is started


def parts_of(tree: ast.Module, quiet: Iterable[str]) -> tuple[Part, ...]:
    """The statements of a module; `quiet` are names of libraries whose decorators note nothing."""
    known = frozenset(quiet)
    return tuple(_part(statement, known) for statement in tree.body)


def _part(statement: ast.stmt, quiet: frozenset[str]) -> Part:
    binds = " ".join(sorted(set(bindings(statement))))
    uses = " ".join(sorted(chains(statement)))
    return Part(binds, uses, _runs(statement, quiet), is_main(statement))


def _runs(statement: ast.stmt, quiet: frozenset[str]) -> bool:
    if isinstance(statement, _DEFINITIONS):
        return is_noted(statement, quiet)
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return not is_text and not is_main(statement)


def is_noted(definition: Definition, quiet: Collection[str]) -> bool:
    """Whether a decorator may note what it is given: none of those by these names does."""
    return not all(_root(each) in quiet for each in definition.decorator_list)


def _root(decorator: ast.expr) -> str:
    """The first name of a decorator."""
    root = decorator.func if isinstance(decorator, ast.Call) else decorator
    while isinstance(root, ast.Attribute):
        root = root.value
    return root.id if isinstance(root, ast.Name) else ""


def bindings(statement: ast.stmt) -> Iterator[str]:
    """The variables of the module that a statement may bind, and some of its classes."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield from _names(node)
        if isinstance(node, _FUNCTIONS):
            globals_ = (each for each in within(node) if isinstance(each, ast.Global))
            yield from (each for found in globals_ for each in found.names)
        elif not isinstance(node, (ast.Import, ast.ImportFrom)):
            waiting += children(node)


def _names(node: ast.AST) -> Iterator[str]:
    """The names that a node binds by itself."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from (each.asname or each.name.partition(".")[0] for each in node.names)
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    else:
        names = (getattr(node, field, None) for field in ("name", "rest"))  # as `match` has them
        yield from (name for name in names if isinstance(name, str))


def chains(top: ast.AST) -> set[str]:
    """The names that are read below a node, each with all attributes behind it."""
    found: set[str] = set()
    waiting = [top]
    while waiting:
        node = waiting.pop()
        chain = _chain(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
        if chain is not None:
            found.add(chain)
        else:
            waiting += children(node)
    return found


def _chain(node: ast.Name | ast.Attribute) -> str | None:
    """The names of `a.b.c`; None where no name is at its root."""
    is_read = isinstance(node.ctx, ast.Load)
    names: list[str] = []
    each: ast.expr = node
    while isinstance(each, ast.Attribute):
        names.append(each.attr)
        each = each.value
    if not isinstance(each, ast.Name):
        return None
    names.append(each.id)
    return ".".join(reversed(names)) + ("" if is_read else STORED)
