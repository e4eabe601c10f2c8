"""Tests that the worker's number decides."""

from __future__ import annotations

import ast

from ...library.agreement import COUNTERS
from ...program.node_fields import within
from ...program.versions import Condition
from ..agreement.control import conditions
from ..facts import Facts
from ..rank_domain import TAINTED, Taint


def is_by_rank(facts: Facts, test: ast.expr) -> bool:
    """Whether the worker's number decides how a test comes out."""
    if facts.program.value(TAINTED, test) is Taint.RANK:
        return True
    return any(_is_set_by_rank(facts, node) for node in within(test))


def _is_set_by_rank(facts: Facts, node: ast.AST) -> bool:
    """`args.is_chief`, of an object of outside code, where the module sets it."""
    if not isinstance(node, ast.Attribute):
        return False
    stores = facts.index.attribute_stores.get(node.attr, [])
    same = [b for target, b in stores if ast.unparse(target) == ast.unparse(node)]
    values = [b.value for b in same if isinstance(b.value, ast.expr) and b.kind == "assign"]
    return bool(values) and all(facts.program.value(TAINTED, v) is Taint.RANK for v in values)


def decides(facts: Facts, test: ast.AST) -> bool:
    """Whether a condition is by rank; `range(rank, n, size)` may go as far on all workers."""
    if not isinstance(test, ast.expr):
        return False
    if test not in facts.order.iterables:
        return is_by_rank(facts, test)
    if not isinstance(test, ast.Call) or facts.name(test.func) not in COUNTERS:
        return False
    return len(test.args) == 1 and is_by_rank(facts, test.args[0])


def rank_test_of(facts: Facts, jump: ast.AST, end: Condition | None) -> ast.expr | None:
    """The test by rank that leads from `end` to a jump."""
    for condition in conditions(facts, jump):
        if condition is end:
            break
        for test in condition.tests if condition.kind in ("branch", "loop") else ():
            if isinstance(test, ast.expr) and decides(facts, test):
                return test
    return None


def ends_quietly(facts: Facts, jump: ast.AST) -> bool:
    """Whether only this worker ends there: an error ends the whole job."""
    if not isinstance(jump, ast.Raise):
        return True
    raised = jump.exc.func if isinstance(jump.exc, ast.Call) else jump.exc
    return raised is not None and facts.name(raised) == "builtins.SystemExit"
