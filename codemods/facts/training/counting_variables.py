"""Variables of TensorFlow that count steps: `global_step.assign_add(1)` beside each."""

from __future__ import annotations

import ast

from ..facts import Facts, recorded
from .pattern import Pattern, training_of
from .training_loops import loop_around

_VARIABLE = "tensorflow.Variable"
_ADDS = "assign_add"


def counts_steps(facts: Facts, expr: ast.expr) -> bool:
    """Whether it is such a variable."""
    made = facts.origins(expr).nodes
    return bool(made) and _counting(facts).issuperset(made)


@recorded
def _counting(facts: Facts) -> frozenset[ast.AST]:
    """What makes the variables to which one is added where a tape's step is taken."""
    adds = (call for call in facts.calls(_ADDS) if _adds_one(facts, call) and _is_step(facts, call))
    made = (node for call in adds for node in facts.origins(call.func.value).nodes)  # type: ignore[attr-defined]
    return frozenset(n for n in made if isinstance(n, ast.Call) and facts.name(n.func) == _VARIABLE)


def _adds_one(facts: Facts, call: ast.Call) -> bool:
    given = facts.argument(call, "delta", 0)
    return isinstance(given, ast.Constant) and given.value == 1


def _is_step(facts: Facts, call: ast.Call) -> bool:
    """Whether it runs as often as a step: in the same function, and the same loop."""
    steps = (n for n, pattern in training_of(facts).places if pattern is Pattern.GRADIENT_TAPE)
    here = (facts.function(call), loop_around(facts, call))
    return any((facts.function(step), loop_around(facts, step)) == here for step in steps)
