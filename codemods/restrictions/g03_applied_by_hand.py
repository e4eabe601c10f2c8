"""Gradients are applied by an optimizer: `w.assign_sub(rate * gradient)` averages nothing.

Horovod's guide for TensorFlow 2 wraps the tape and broadcasts beside `apply_gradients`; a loop
without one is named, beside whatever else the file trains, instead of passing for a program that
doesn't train.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.averaging import Averaged, averaged
from ..facts.gradients.own_updates import changes, gradients
from ..facts.optimizers.optimizer_makers import class_of_keras
from ..facts.roles import Role
from ..model import Finding
from . import restriction
from ._finding import finding

FIX = "make `optimizer = {}(learning_rate={})` at the top, and write `optimizer.{}` here"
USE = "write `{}.{}` here, with the optimizer of this file"
CHANGED = "the gradients are applied without an optimizer: they would not be averaged"
UNKNOWN = "nobody can tell what applies these gradients; they would not be averaged"
APPLIES = ("apply_gradients", "minimize")


@restriction(code="G03", name="applied-by-hand")
def applied_by_hand(facts: Facts) -> Iterator[Finding]:
    """The first place where gradients of a tape change a model and no optimizer takes them."""
    for place, is_seen in changes(facts):
        message = CHANGED if is_seen else UNKNOWN
        found = finding(facts, place, "G03", message, advice(facts, place))
        yield found._replace(proves=is_own(facts, place))
        return


def is_own(facts: Facts, change: ast.Call) -> bool:
    """Whether a change takes gradients of a tape that Horovod has not wrapped."""
    made = (g.func for value in change.args for g in gradients(facts, value))
    tapes = (func.value for func in made if isinstance(func, ast.Attribute))
    return any(averaged(facts, tape) is Averaged.NO for tape in tapes)


def advice(facts: Facts, call: ast.Call) -> str:
    """The optimizer that does the same: `w.assign_sub(0.1 * g)` is a step of SGD.

    What is no plain step asks for the one that the file makes and nothing uses, or for Adam.
    """
    made, step = spare_optimizer(facts), plain_step(facts, call)
    application = "apply_gradients(zip(gradients, model.trainable_variables))"
    if step is not None:
        application = f"apply_gradients([({step[1]}, {ast.unparse(call.func.value)})])"  # type: ignore[attr-defined]
    if made is not None:
        return USE.format(made, application)
    cls, rate = ("Adam", "0.001") if step is None else ("SGD", step[0])
    return FIX.format(class_of_keras(facts, cls), rate, application)


def plain_step(facts: Facts, call: ast.Call) -> tuple[str, str] | None:
    """The rate and the gradient of `w.assign_sub(rate * g)` and of `w.assign(w - rate * g)`."""
    product = _taken_off(call)
    if not (isinstance(product, ast.BinOp) and isinstance(product.op, ast.Mult)):
        return None
    factors = [product.left, product.right]
    given = [any(True for _ in gradients(facts, factor)) for factor in factors]
    if sum(given) != 1:
        return None
    return ast.unparse(factors[given.index(False)]), ast.unparse(factors[given.index(True)])


def _taken_off(call: ast.Call) -> ast.expr | None:
    """What a change takes off its variable; `assign_add` climbs, unless its rate says otherwise."""
    if not call.args or not isinstance(call.func, ast.Attribute):
        return None
    given, method, variable = call.args[0], call.func.attr, ast.unparse(call.func.value)
    if method == "assign" and isinstance(given, ast.BinOp) and isinstance(given.op, ast.Sub):
        return given.right if ast.unparse(given.left) == variable else None
    return given if method == "assign_sub" else None


def spare_optimizer(facts: Facts) -> str | None:
    """The name of the optimizer that the module makes at its top, if nothing trains with it."""
    made = list(facts.creations(Role.OPTIMIZER))
    statement = facts.statement(made[0]) if len(made) == 1 else None
    if not isinstance(statement, ast.Assign) or facts.function(statement) is not None:
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Name):
        return None
    uses = facts.index.loads.get(target.id, ())
    trains = any(isinstance(facts.parent(use), (ast.Call, ast.keyword)) for use in uses)
    applies = any(getattr(facts.parent(use), "attr", "") in APPLIES for use in uses)
    return None if trains or applies else target.id
