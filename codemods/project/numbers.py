"""Which definitions of a module do nothing but count: functions of numbers, and constants."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ..program.node_fields import within
from ..program.records import NamedTuple
from .quiet import is_text
from .starts import starts as starts_of

BUILTINS = frozenset({"abs", "bool", "float", "int", "max", "min", "pow", "range", "round"})
_DIVISIONS = (ast.Div, ast.FloorDiv, ast.Mod)


class Part(NamedTuple):
    """A definition, a function or a constant: its lines, and what of its module it uses.

    `loops`: what the function gives is no number that could be known. `starts`: what it may give.
    """

    first: int
    last: int
    name: str
    is_function: bool
    reads: tuple[str, ...]
    calls: tuple[str, ...] = ()
    params: tuple[str, ...] = ()
    loops: bool = False
    starts: tuple[str, ...] = ()


def parts_of(tree: ast.Module) -> tuple[Part, ...]:
    """The definitions of a quiet module that count.

    What divides is none of them: it may be a number of steps, which a rule writes anew.
    """
    return tuple(part for part in map(_part, tree.body) if part is not None)


def _part(statement: ast.stmt) -> Part | None:
    """The statement as a part, if it counts."""
    first, last = statement.lineno, statement.end_lineno or 0
    if isinstance(statement, ast.Assign):
        target, counting = statement.targets[0], Counting(frozenset())
        if isinstance(target, ast.Name) and counting.is_number(statement.value):
            return Part(first, last, target.id, False, tuple(sorted(counting.reads)))
    if not isinstance(statement, ast.FunctionDef):
        return None
    params = _params(statement.args)
    if params is None:
        return None
    counting = Counting(frozenset({*params, *_locals(statement)}))
    if not counting.counts(statement.body):
        return None
    reads, calls = tuple(sorted(counting.reads)), tuple(sorted(counting.calls))
    loops, starts = bool(counting.loops), tuple(sorted(starts_of(statement)))
    return Part(first, last, statement.name, True, reads, calls, params, loops, starts)


def _params(given: ast.arguments) -> tuple[str, ...] | None:
    """The names of plain parameters; None where there are others."""
    if given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs or given.defaults:
        return None
    return tuple(each.arg for each in given.args)


def _locals(function: ast.FunctionDef) -> Iterator[str]:
    for node in within(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


class Counting:
    """Looks whether statements and expressions are about numbers alone."""

    def __init__(self, own: frozenset[str]) -> None:
        self._own = own
        self.reads: set[str] = set()
        self.calls: set[str] = set()
        self.loops: set[str] = set()  # the variables of loops

    def counts(self, body: Sequence[ast.stmt]) -> bool:
        """Whether these statements only bind and give back numbers."""
        return all(map(self._statement, body))

    def _statement(self, node: ast.stmt) -> bool:
        if isinstance(node, ast.Assign):
            is_name = len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
            return is_name and self.is_number(node.value)
        if isinstance(node, ast.AugAssign):
            is_name = isinstance(node.target, ast.Name)
            return is_name and not isinstance(node.op, _DIVISIONS) and self.is_number(node.value)
        if isinstance(node, ast.If):
            return self.is_number(node.test) and self.counts([*node.body, *node.orelse])
        if isinstance(node, ast.For):
            return self._loop(node)
        if isinstance(node, ast.Return):
            return node.value is not None and self.is_number(node.value)
        return isinstance(node, (ast.Pass, ast.Break, ast.Continue)) or is_text(node)

    def _loop(self, node: ast.For) -> bool:
        call = node.iter
        if not isinstance(node.target, ast.Name) or not isinstance(call, ast.Call):
            return False
        if not isinstance(call.func, ast.Name) or call.func.id != "range":
            return False
        self.loops.add(node.target.id)
        return self.is_number(call) and self.counts([*node.body, *node.orelse])

    def is_number(self, node: ast.expr) -> bool:
        """Whether an expression is a number if its parts are, and does nothing but count."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, (int, float))
        if isinstance(node, ast.Name):
            if node.id not in self._own:
                self.reads.add(node.id)
            return True
        if isinstance(node, ast.BinOp):
            return self._divides_nothing(node) and all(map(self.is_number, (node.left, node.right)))
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Attribute):
            return self._is_of_math(node)
        if isinstance(node, (ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp)):
            parts = (each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr))
            return all(map(self.is_number, parts))
        return False

    def _divides_nothing(self, node: ast.BinOp) -> bool:
        """Whether it is no division, or tells the turns of a loop apart."""
        is_turn = isinstance(node.left, ast.Name) and node.left.id in self.loops
        return not isinstance(node.op, _DIVISIONS) or (isinstance(node.op, ast.Mod) and is_turn)

    def _is_of_math(self, node: ast.expr) -> bool:
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            return False
        self.reads.add(node.value.id)
        return node.value.id == "math"

    def _call(self, node: ast.Call) -> bool:
        if node.keywords or not all(map(self.is_number, node.args)):
            return False
        if isinstance(node.func, ast.Name) and node.func.id not in self._own:
            self.calls.add(node.func.id)
            return True
        return self._is_of_math(node.func)
