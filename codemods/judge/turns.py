"""What workers do one after another: the first of a machine, and then the others."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..library import file_effects as table
from ..library.collectives import collective
from ..program.node_fields import within
from ..program.program import Program
from .files import Access
from .reach import ALL, Reach

_BLOCKS = ("body", "orelse", "finalbody")


class Turns:
    """The turns of one program."""

    def __init__(self, program: Program, reach: Reach, parents: dict[ast.AST, ast.AST]) -> None:
        self._program, self._reach, self._parents = program, reach, parents

    def is_in_turn(self, access: Access) -> bool:
        """Whether who comes later finds that it is there: a test in a turn asks for it."""
        return bool(self.asked(access))

    def asked(self, access: Access) -> list[ast.If]:
        """The conditions around it, in a turn, that ask if a file is there."""
        asked: list[ast.If] = []
        node: ast.AST = access.call
        while node in self._parents:
            node, child = self._parents[node], node
            if isinstance(node, ast.If) and child is not node.test and self.questions(node.test):
                asked.append(node)
            if asked and isinstance(child, ast.stmt) and self._is_turn(node, child):
                return asked
        return []

    def nearest(self, node: ast.AST) -> ast.If | None:
        """The innermost `if` around that asks if a file is there."""
        while node in self._parents:
            node, child = self._parents[node], node
            if isinstance(node, ast.If) and child is not node.test and self.questions(node.test):
                return node
        return None

    def questions(self, test: ast.expr) -> list[ast.Call]:
        """The calls in a test that ask if a file is there."""
        made = self._program.ingredients(test)
        return [node for node in made if isinstance(node, ast.Call) and self._asks_by(node)]

    def is_of_missing(self, condition: ast.If, node: ast.AST) -> bool:
        """Whether a node of an `if` is come to only where a file is missing."""
        is_else = any(node is each for s in condition.orelse for each in within(s))
        return self._says(condition.test, is_there=is_else)

    def _says(self, test: ast.expr, is_there: bool) -> bool:
        """Whether a branch is taken (`is_there`: left) only where what is asked for is missing."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self._says(test.operand, not is_there)
        if isinstance(test, ast.BoolOp):
            one_is_enough = isinstance(test.op, ast.And) is not is_there
            return (any if one_is_enough else all)(self._says(v, is_there) for v in test.values)
        return is_there and bool(self.questions(test))

    def _asks_by(self, call: ast.Call) -> bool:
        if isinstance(call.func, ast.Attribute) and table.asks_for_existence(call.func.attr, True):
            return True
        names = self._program.names(call.func)
        return any(table.asks_for_existence(name, is_method=False) for name in names)

    def _is_turn(self, parent: ast.AST, statement: ast.stmt) -> bool:
        """Whether some wait above a statement, and the others behind it."""
        blocks = (getattr(parent, field, None) for field in _BLOCKS)
        block = next((b for b in blocks if isinstance(b, list) and statement in b), [])
        at = block.index(statement) if block else 0
        ends = (self.end(block, start) for start in range(at))
        return any(end is not None and end > at for end in ends)

    def end(self, block: Sequence[ast.stmt], start: int) -> int | None:
        """The statement in which the others wait for whom waits in the one at `start`, if any."""
        waiting = self.waiting(block[start])
        if not waiting or waiting == ALL:
            return None
        behind = range(start + 1, len(block))
        return next((n for n in behind if self.waiting(block[n]) == ALL - waiting), None)

    def waiting(self, statement: ast.stmt) -> frozenset[int]:
        """Who waits in `if hvd.local_rank() != 0: hvd.broadcast(…)`; nobody in other statements."""
        if not isinstance(statement, ast.If) or statement.orelse:
            return frozenset()
        calls = (n for n in within(statement) if isinstance(n, ast.Call))
        names = (name for call in calls for name in self._program.names(call.func))
        is_wait = any(map(collective, names))
        return self._reach.said(statement.test).yes if is_wait else frozenset()

    def is_tried(self, access: Access) -> bool:
        """Whether the program takes the error of who comes too late."""
        node: ast.AST = access.call
        while node in self._parents:
            node, child = self._parents[node], node
            if isinstance(node, ast.Try) and child in node.body:
                if any(map(_takes_late, node.handlers)):
                    return True
            if isinstance(node, (ast.With, ast.AsyncWith)):
                if any(self._suppresses(item.context_expr) for item in node.items):
                    return True
        return False

    def _suppresses(self, expr: ast.expr) -> bool:
        names = self._program.names(expr.func) if isinstance(expr, ast.Call) else ()
        return "contextlib.suppress" in names


def _takes_late(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = {getattr(kind, "attr", getattr(kind, "id", "")) for kind in kinds if kind is not None}
    return handler.type is None or bool(names & table.LATE)
