"""The number of a worker's own that decides: once the workers average it, all decide alike."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ..facts import Facts
from .control import Decision, is_shared, tests_around
from .reasons import sources, test_of

_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def number_of_its_own(facts: Facts, decision: Decision) -> ast.Name | None:
    """The name that an `if` compares; None where averaging one before it would not be enough."""
    test = test_of(facts, decision)
    statement = None if test is None else facts.parent(test)
    if test is None or not isinstance(statement, ast.If) or _is_elif(facts, statement):
        return None
    bound = {n.id for n in within(statement) if isinstance(n, ast.Name) and _stores(n)}
    found = {name.id: name for name in _compared(test) if not is_shared(facts, name)}
    own = [name for id, name in found.items() if id not in bound]
    is_all = len(own) == 1 and _has_no_other(facts, test, set(found))
    return own[0] if is_all and decided_before(facts, own[0]) is None else None


def decided_before(facts: Facts, name: ast.AST) -> ast.expr | None:
    """The test of a worker's own under which a name was bound: `wait += 1` behind another `if`.

    None where the name holds something of the worker's own anyway.
    """
    if next(sources(facts, name), None) is not None:
        return None
    for binding in facts.names.bindings(name):
        for test in tests_around(facts, binding.node):
            if not is_shared(facts, test):
                return test
    return None


def _compared(test: ast.expr) -> Iterator[ast.Name]:
    """The names in comparisons of numbers."""
    for node in within(test):
        if isinstance(node, ast.Compare) and all(isinstance(op, _ORDERS) for op in node.ops):
            yield from (n for side in (node.left, *node.comparators) for n in _operands(side))


def _operands(side: ast.expr) -> Iterator[ast.Name]:
    """The names that are numbers there: `total` and `n` of `float(total / n)`."""
    if isinstance(side, ast.Name):
        yield side
    elif isinstance(side, ast.BinOp):
        yield from (n for part in (side.left, side.right) for n in _operands(part))
    elif isinstance(side, ast.Call) and getattr(side.func, "id", "") in ("float", "int", "abs"):
        yield from (n for part in side.args for n in _operands(part))


def _has_no_other(facts: Facts, test: ast.expr, names: set[str]) -> bool:
    """Whether nothing but these names, and what is computed from them, is a worker's own."""
    for node in within(test):
        is_other = isinstance(node, (ast.Call, ast.Attribute, ast.Subscript))
        if is_other and not names & {n.id for n in within(node) if isinstance(n, ast.Name)}:
            if not is_shared(facts, node):  # type: ignore[arg-type]
                return False
    return True


def _stores(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _is_elif(facts: Facts, statement: ast.If) -> bool:
    parent = facts.parent(statement)
    return isinstance(parent, ast.If) and parent.orelse == [statement]
