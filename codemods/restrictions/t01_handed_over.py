"""What trains must be visible: a library that gets the optimizer, or the model, may do it.

Seed 000, section 3.1, restriction 1.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, Pattern, Role
from ..facts.causes import spelled
from ..facts.optimizers.optimizer_makers import OWN_LOOPS, innermost
from ..facts.training.outside_training import Handed, handed_over
from ..facts.training.pattern import training_of
from ..model import Finding
from . import restriction
from ._finding import finding
from ._trials import SIDE_BY_SIDE, TRIALS, is_tuner

UNSEEN = {
    Role.OPTIMIZER: "nobody can tell what `{}` does with this optimizer; nothing would be averaged",
    Role.MODEL: "nobody can tell how `{}` trains this model; its gradients would not be averaged",
}
# What may be an optimizer: one that unknown code has wrapped has no role.
_OF_OPTIMIZERS = frozenset({None, Role.OPTIMIZER, Role.LOSS_SCALE})
FIX = (
    "train it in this file, by `fit` or by a tape and `apply_gradients`; or use what that library "
    "offers for several workers"
)


@restriction(code="T01", name="handed-over")
def trained_out_of_sight(facts: Facts) -> Iterator[Finding]:
    """Optimizers and models that code out of sight gets, where the file does not train by them."""
    if training_of(facts).uncertain:
        return
    pattern = training_of(facts).pattern
    is_alone = pattern is Pattern.UNKNOWN
    if not is_alone and pattern not in OWN_LOOPS:
        return
    found = [each for each in handed_over(facts) if is_alone or _is_of_no_loop(facts, each)]
    for call, value, role in found[:1]:
        why, fix = (TRIALS, SIDE_BY_SIDE) if is_tuner(facts, call) else (UNSEEN[role], FIX)
        yield finding(facts, value, "T01", why.format(spelled(call.func)), fix)


def _is_of_no_loop(facts: Facts, handed: Handed) -> bool:
    """Whether it is an optimizer with which nothing of the file trains."""
    if handed.role is not Role.OPTIMIZER:
        return False
    made = innermost(facts, handed.value)
    return bool(made) and set(made).isdisjoint(_training(facts))


def _training(facts: Facts) -> set[ast.AST]:
    """What the optimizers are made from that the loops of the file apply, or `compile` gets."""
    users = (*facts.calls("compile"), *(call for call, _ in training_of(facts).places))
    given = [value for c in users for value in (*c.args, *(k.value for k in c.keywords))]
    owners = [c.func.value for c in users if isinstance(c.func, ast.Attribute)]
    values = [v for v in (*given, *owners) if not facts.roles(v).isdisjoint(_OF_OPTIMIZERS)]
    return {*facts.program.ingredients_of(values)}
