"""Tests that the worker's number decides."""

from __future__ import annotations

import ast

from ...library import launchers
from ...program.node_fields import within
from ...program.versions import Condition
from ..agreement.control import conditions
from ..facts import Facts, recorded
from ..rank_domain import TAINTED, Taint
from .early_loop_exits import counts_of, is_of_some_length, is_rest_by_rank
from .handled_exceptions import is_caught
from .none_by_rank import is_none_by_rank

_FLAGS = ("DEFINE_integer", "DEFINE_bool", "DEFINE_boolean")
_BY_VALUE = (ast.Eq, ast.NotEq, ast.Lt, ast.Gt, ast.LtE, ast.GtE)


def is_by_rank(facts: Facts, test: ast.expr) -> bool:
    """Whether the worker's number decides how a test comes out."""
    if facts.program.value(TAINTED, test) is Taint.RANK:
        return True
    asked = _asked(facts)
    if test in asked:  # whether something is None there hangs on the test itself
        return False
    asked.add(test)
    try:
        return any(
            _is_set_by_rank(facts, n) or _is_compared(facts, n) or _is_none(facts, n)
            for n in within(test)
        )
    finally:
        asked.discard(test)


@recorded
def _asked(facts: Facts) -> set[ast.expr]:
    """The tests that somebody is just asking about."""
    return set()


def _is_none(facts: Facts, node: ast.AST) -> bool:
    return is_none_by_rank(facts, node, lambda end: rank_test_of(facts, end, None))


def _is_compared(facts: Facts, node: ast.AST) -> bool:
    """`env["HOROVOD_RANK"] == "0"`, of a copy of the environment: the names are nobody else's."""
    key = node.slice if isinstance(node, ast.Subscript) else None
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "get" and node.args:
        key = node.args[0]
    if not isinstance(key, ast.Constant) or key.value not in launchers.VARIABLES:
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
    whole = [b for b in same if b.kind == "assign" and not b.path]
    values = [b.value for b in whole if isinstance(b.value, ast.expr)]
    return bool(values) and all(facts.program.value(TAINTED, v) is Taint.RANK for v in values)


def _is_default(facts: Facts, option: str) -> bool:
    """Whether options have the worker's number where nobody gives one on the command line."""
    for call in facts.calls("add_argument", "set_defaults", *_FLAGS):
        texts = (arg.value for arg in call.args if isinstance(arg, ast.Constant))
        names = {launchers.option_name(str(text)) for text in texts}
        wanted = "default" if option in names else option
        given = next((k.value for k in call.keywords if k.arg == wanted), None)
        if call.func.attr in _FLAGS and len(call.args) > 1:  # type: ignore[attr-defined]
            given = call.args[1] if option in names else None
        found = Taint.SHARED if given is None else facts.program.value(TAINTED, given)
        is_number = any(k.arg == "type" for k in call.keywords)
        if found is Taint.RANK or (found is Taint.TEXT and is_number):
            return True
    return False


def decides(facts: Facts, test: ast.AST) -> bool:
    """Whether a condition is by rank; `range(rank, n, size)` may go as far on all workers."""
    if not isinstance(test, ast.expr):
        return False
    if test not in facts.order.iterables:
        return is_by_rank(facts, test)
    by_count = (is_by_rank(facts, count) for count in counts_of(facts, test))
    is_cut = is_of_some_length(facts, test, is_by_rank) or is_rest_by_rank(facts, test, is_by_rank)
    return any(by_count) or is_cut


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
    return is_end or is_caught(facts, jump, raised)
