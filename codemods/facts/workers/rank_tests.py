"""Tests that the worker's number decides."""

from __future__ import annotations

import ast

from ...library import ranks
from ...library.agreement import COUNTERS
from ...program.node_fields import within
from ...program.versions import Condition
from ..agreement.control import conditions
from ..facts import Facts
from ..rank_domain import TAINTED, Taint
from ..scopes import FunctionNode

_BY_VALUE = (ast.Eq, ast.NotEq, ast.Lt, ast.Gt, ast.LtE, ast.GtE)


def is_by_rank(facts: Facts, test: ast.expr) -> bool:
    """Whether the worker's number decides how a test comes out."""
    if facts.program.value(TAINTED, test) is Taint.RANK:
        return True
    return any(_is_set_by_rank(facts, n) or _is_compared(facts, n) for n in within(test))


def _is_compared(facts: Facts, node: ast.AST) -> bool:
    """`env["HOROVOD_RANK"] == "0"`, of a copy of the environment: the names are nobody else's."""
    key = node.slice if isinstance(node, ast.Subscript) else None
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "get" and node.args:
        key = node.args[0]
    if not isinstance(key, ast.Constant) or key.value not in ranks.VARIABLES:
        return False
    parent = facts.parent(node)
    if isinstance(parent, ast.Call):
        return facts.name(parent.func) == "builtins.int"
    return isinstance(parent, ast.Compare) and isinstance(parent.ops[0], _BY_VALUE)


def _is_set_by_rank(facts: Facts, node: ast.AST) -> bool:
    """`args.is_chief`, of an object of outside code, where the module sets it."""
    if not isinstance(node, ast.Attribute):
        return False
    if _is_default(facts, node.attr):
        return True
    stores = facts.index.attribute_stores.get(node.attr, [])
    same = [b for target, b in stores if ast.unparse(target) == ast.unparse(node)]
    values = [b.value for b in same if isinstance(b.value, ast.expr) and b.kind == "assign"]
    return bool(values) and all(facts.program.value(TAINTED, v) is Taint.RANK for v in values)


def _is_default(facts: Facts, option: str) -> bool:
    """Whether options have the worker's number where nobody gives one on the command line."""
    for call in facts.calls("add_argument", "set_defaults"):
        texts = (arg.value for arg in call.args if isinstance(arg, ast.Constant))
        names = {ranks.option_name(str(text)) for text in texts}
        wanted = "default" if option in names else option
        given = next((k.value for k in call.keywords if k.arg == wanted), None)
        if given is not None and facts.program.value(TAINTED, given) is Taint.RANK:
            return True
    return False


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
    is_end = raised is not None and facts.name(raised) == "builtins.SystemExit"
    return is_end or _is_caught(facts, jump)


def _is_caught(facts: Facts, jump: ast.AST) -> bool:
    """Whether a handler of the same function may go on behind an error."""
    child = jump
    for parent in facts.parents(jump):
        if isinstance(parent, FunctionNode):
            return False
        if isinstance(parent, ast.Try) and child in parent.body and parent.handlers:
            return not any(isinstance(h.body[-1], ast.Raise) for h in parent.handlers)
        child = parent
    return False
