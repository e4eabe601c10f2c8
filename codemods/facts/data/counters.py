"""Loops of fewer rounds than before, whose steps the workers share, and what counts them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.agreement import COUNTERS
from ...program.node_fields import within
from ..facts import Facts, recorded
from ..training.draws import without_bar
from ..training.training_loops import trains
from .cuts import ShareForm
from .divided import divided
from .loop_limits import loop_limits
from .shares import shares_of
from .whose_batch import keeps_batch


def loop_counters(facts: Facts, node: ast.AST) -> set[str]:
    """The counters of the loops around a node that have fewer rounds than before."""
    around = set(facts.parents(node))
    loops = [loop for loop in shorter_loops(facts) if loop in around]
    return {name for loop in loops for name in _counters(facts, loop)}


@recorded
def shorter_loops(facts: Facts) -> tuple[ast.For, ...]:
    """Loops of fewer rounds than before."""
    return tuple(_shorter_loops(facts))


def _shorter_loops(facts: Facts) -> Iterator[ast.For]:
    if keeps_batch(facts):
        return
    cuts = shares_of(facts).cuts.items()
    fewer = {expr for expr, cut in cuts if cut.form is not ShareForm.ENDLESS}
    fewer |= {count for count, _ in divided(facts)}
    left = {loop for number, loop in loop_limits(facts).items() if number in fewer}
    for loop in facts.index.nodes(ast.For) if fewer else ():
        if loop in left or (
            trains(facts, loop) and not fewer.isdisjoint(facts.program.ingredients(loop.iter))
        ):
            yield loop


def _counters(facts: Facts, loop: ast.For) -> set[str]:
    """`step` of `for step, x in enumerate(data)`, of `for step in range(n)` and of `step += 1`."""
    adds = (n for n in within(loop) if isinstance(n, ast.AugAssign) and _is_one(n))
    found = {add.target.id for add in adds if isinstance(add.target, ast.Name)}
    found |= {n.func.value.id for n in within(loop) if _adds_one(n)}  # type: ignore[attr-defined]
    over = without_bar(facts, loop.iter)
    called = facts.name(over.func) if isinstance(over, ast.Call) else None
    target = loop.target
    is_numbered = called == "builtins.enumerate" or _numbers(over)
    if is_numbered and isinstance(target, (ast.Tuple, ast.List)):
        target = target.elts[0]
    elif called not in COUNTERS:
        return found
    return found | ({target.id} if isinstance(target, ast.Name) else set())


def _adds_one(node: ast.AST) -> bool:
    """`steps_done.assign_add(1)`."""
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    if not is_call or node.func.attr != "assign_add":  # type: ignore[attr-defined]
        return False
    added = [getattr(each, "value", None) for each in node.args]  # type: ignore[attr-defined]
    return added == [1] and isinstance(node.func.value, ast.Name)  # type: ignore[attr-defined]


def _numbers(over: ast.expr) -> bool:
    """Whether it is `dataset.enumerate()`, perhaps with a stage behind it."""
    while isinstance(over, ast.Call) and isinstance(over.func, ast.Attribute):
        if over.func.attr == "enumerate":
            return True
        over = over.func.value
    return False


def _is_one(add: ast.AugAssign) -> bool:
    is_one = isinstance(add.value, ast.Constant) and add.value.value == 1
    return isinstance(add.op, ast.Add) and is_one


def counts(expr: ast.expr, names: set[str]) -> bool:
    """A counter itself, or one more than that; a variable as a number: `int(step)`."""
    while isinstance(expr, ast.BinOp) and isinstance(expr.op, (ast.Add, ast.Sub)):
        expr = expr.left
    if isinstance(expr, ast.Call) and getattr(expr.func, "id", "") == "int" and expr.args:
        expr = expr.args[0]
    return isinstance(expr, ast.Name) and expr.id in names
