"""The number of a worker's own that decides: once the workers average it, all decide alike."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...judge.disagreements import disagreements
from ...program.node_fields import within
from ..facts import Facts
from ..input_files import is_shared
from .control import tests_around

_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_KINDS = ("isnan", "isinf", "isfinite", "is_nan", "is_inf", "is_finite")


def number_of_its_own(facts: Facts, test: ast.expr) -> ast.Name | None:
    """The name that an `if` compares; None where averaging one before it would not be enough."""
    statement = facts.parent(test)
    if not isinstance(statement, ast.If) or _is_elif(facts, statement):
        return None
    bound = {ast.unparse(n) for n in within(statement) if _stores(n)}
    found = {name.id: name for name in _compared(test) if not is_shared(facts, name)}
    own = [name for id, name in found.items() if id not in bound]
    is_all = len(own) == 1 and _has_no_other(facts, test, set(found))
    return own[0] if is_all and decided_before(facts, own[0]) is None else None


def value_of_its_own(facts: Facts, test: ast.expr) -> ast.Call | None:
    """The call that an `if` compares, or asks whether it is a number: `mean.result() < best`.

    None where an average with a name, in its place, would not be enough.
    """
    statement = facts.parent(test)
    if not isinstance(statement, ast.If) or _is_elif(facts, statement):
        return None
    bound = {ast.unparse(n) for n in within(statement) if _stores(n)}
    sides = [side for side in _numbers(test) if not is_shared(facts, side)]
    own = {ast.unparse(side): side for side in sides if isinstance(side, ast.Call)}
    others = (side for side in sides if not isinstance(side, ast.Call))
    if len(own) != 1 or not bound.issuperset(map(ast.unparse, others)):
        return None
    names = {n.id for side in sides for n in within(side) if isinstance(n, ast.Name)}
    return next(iter(own.values())) if _has_no_other(facts, test, names) else None


def occurrences(facts: Facts, value: ast.expr) -> list[ast.Call]:
    """Where an `if` asks for the same value, its own place among them."""
    block, text = facts.statement(value), ast.unparse(value)
    return [n for n in within(block) if isinstance(n, ast.Call) and ast.unparse(n) == text]


def decided_before(facts: Facts, name: ast.AST) -> ast.expr | None:
    """The test of a worker's own under which a name was bound: `wait += 1` behind another `if`.

    None where the name holds something of the worker's own anyway.
    """
    own = disagreements(facts).askers
    if any(own.of(node).source is node for node in facts.program.ingredients(name)):
        return None
    bindings = facts.bindings(name)
    if any(isinstance(b.value, ast.Call) and not is_shared(facts, b.value) for b in bindings):
        return None
    for binding in bindings:
        for test in tests_around(facts, binding.node):
            if not is_shared(facts, test):
                return test
    return None


def _compared(test: ast.expr) -> Iterator[ast.Name]:
    """The names in comparisons of numbers."""
    for node in within(test):
        if isinstance(node, ast.Compare) and all(isinstance(op, _ORDERS) for op in node.ops):
            yield from (n for side in (node.left, *node.comparators) for n in _operands(side))


def _numbers(test: ast.expr) -> Iterator[ast.expr]:
    """What is compared, and what is asked whether it is a number, without `float(…)` around it."""
    for node in within(test):
        sides: list[ast.expr] = []
        if isinstance(node, ast.Compare) and all(isinstance(op, _ORDERS) for op in node.ops):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in _KINDS:
            sides = node.args[:1]
        for side in sides:
            is_kept = not isinstance(side, ast.Call) or getattr(side.func, "id", "") != "float"
            yield side if is_kept else side.args[0]  # type: ignore[attr-defined]


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


def _stores(node: ast.AST) -> bool:
    is_place = isinstance(node, (ast.Name, ast.Attribute))
    return is_place and isinstance(node.ctx, ast.Store)  # type: ignore[attr-defined]


def _is_elif(facts: Facts, statement: ast.If) -> bool:
    parent = facts.parent(statement)
    return isinstance(parent, ast.If) and parent.orelse == [statement]
