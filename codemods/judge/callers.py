"""Which statements of a module run a function, as soon as the module is read."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..program.node_fields import children
from ..program.program import Program
from .case import Case

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def callers(case: Case, module: ast.Module) -> Callers:
    """Those of a module of a program, which several questions ask for."""
    known = case.once(_known)
    if module not in known:
        known[module] = Callers(case.program, module)
    return known[module]


def _known(case: Case) -> dict[ast.Module, Callers]:
    return {}


class Callers:
    """Which statements of a module run a function, as soon as the module is read."""

    def __init__(self, program: Program, module: ast.Module) -> None:
        self._program, self._body = program, module.body
        self._runs: dict[ast.AST, list[tuple[int, ast.AST | None, ast.expr]]] = {}
        for number, statement in enumerate(module.body):
            self._look(statement, number, None)

    def _look(self, node: ast.AST, number: int, inside: ast.AST | None) -> None:
        """Note what each expression below a node may run, and in which function it stands."""
        waiting = [(node, inside)]
        while waiting:
            node, inside = waiting.pop()
            if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
                for function in self._functions(node):
                    self._runs.setdefault(function, []).append((number, inside, node))
            if isinstance(node, DEFINITIONS):
                waiting += _parts(node, inside)
            else:
                waiting += [(each, inside) for each in children(node)]

    def _functions(self, expr: ast.expr) -> Iterator[ast.AST]:
        """The functions that an expression may be; of a class its `__init__`."""
        yield from self._program.functions(expr).nodes
        for cls in self._program.classes(expr).nodes:
            for each in getattr(cls, "body", ()):
                if getattr(each, "name", "") == "__init__":
                    yield each

    def first(self, function: ast.AST, limit: int) -> ast.expr | None:
        """What runs a function in one of the statements before this number."""
        return next((node for number, node in self.runs(function) if number < limit), None)

    def runs(self, function: ast.AST) -> Iterator[tuple[int, ast.expr]]:
        """What runs a function, and in the statement of which number."""
        waiting, seen = [function], {function}
        while waiting:
            for number, inside, node in self._runs.get(waiting.pop(), ()):
                if inside is None:
                    yield number, node
                elif inside not in seen:
                    seen.add(inside)
                    waiting.append(inside)


def _parts(function: ast.AST, around: ast.AST | None) -> Iterator[tuple[ast.AST, ast.AST | None]]:
    """The parts of a function, each with the function in which it runs: its head runs outside."""
    for field, child in ast.iter_fields(function):
        is_head = field in ("decorator_list", "args", "returns")
        for each in child if isinstance(child, list) else [child]:
            if isinstance(each, ast.AST):
                yield each, around if is_head else function
