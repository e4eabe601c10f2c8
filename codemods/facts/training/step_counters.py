"""Values that count the steps of a training: of a loop, of a hook, of a session's graph."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.agreement import COUNTERS
from ...library.hooks import OF_RUNS
from ...program.node_fields import within
from ..facts import Facts
from .draws import counts_rounds, is_number, without_bar
from .fetched_steps import is_global_step
from .own_hooks import hook_around

_SUMS = (ast.Add, ast.Sub, ast.Mult)  # `step + 1`, `step * batch_size`


def counts_steps(facts: Facts, value: ast.expr, loop: ast.AST | None) -> bool:
    """Whether it counts the rounds of a loop, each of which takes a step, or the steps there were.

    Without a loop it is asked of what stands in a hook.
    """
    if isinstance(value, ast.BinOp) and isinstance(value.op, _SUMS):
        sides = [counts_steps(facts, side, loop) for side in (value.left, value.right)]
        return sides.count(True) == 1
    if is_global_step(facts, value):
        return True
    if isinstance(value, ast.Attribute):
        return _is_hooks_count(facts, value)
    is_here = loop is not None and facts.function(value) is facts.function(loop)
    return is_here and isinstance(value, ast.Name) and _counts_rounds(facts, loop, value)


def _counts_rounds(facts: Facts, loop: ast.AST | None, name: ast.Name) -> bool:
    bindings = facts.names.bindings(name)
    if not isinstance(loop, ast.For) or any(b.node is not loop for b in bindings):
        return loop is not None and counts_rounds(facts, loop, name)
    over, target = without_bar(facts, loop.iter), loop.target
    called = facts.name(over.func) if isinstance(over, ast.Call) else None
    if called == "builtins.enumerate" and isinstance(target, ast.Tuple):
        return getattr(target.elts[0], "id", None) == name.id
    return called in COUNTERS and isinstance(target, ast.Name)


def _is_hooks_count(facts: Facts, value: ast.Attribute) -> bool:
    """`self.step` of a hook that adds one to it in each run, and begins it with a number."""
    hook = hook_around(facts, value)
    if hook is None:
        return False
    stores = list(_stores(hook, value.attr))
    added = [s for s in stores if isinstance(s, ast.AugAssign)]
    begun = (s.value for s in stores if isinstance(s, ast.Assign))
    if len(added) != 1 or not _adds_one(added[0]) or not all(map(is_number, begun)):
        return False
    method = facts.function(added[0])
    return getattr(method, "name", "") in OF_RUNS and added[0] in method.body  # type: ignore[union-attr]


def _stores(cls: ast.ClassDef, name: str) -> Iterator[ast.stmt]:
    for node in within(cls):
        targets = node.targets if isinstance(node, ast.Assign) else ()
        targets = [node.target] if isinstance(node, (ast.AugAssign, ast.AnnAssign)) else targets
        if any(isinstance(t, ast.Attribute) and t.attr == name for t in targets):
            yield node  # type: ignore[misc]


def _adds_one(statement: ast.AST) -> bool:
    is_sum = isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add)
    value = statement.value if is_sum else None  # type: ignore[attr-defined]
    return isinstance(value, ast.Constant) and value.value == 1
