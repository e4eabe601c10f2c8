"""Every optimizer that trains is made in sight (seeds 000 and 001, R05 to R07 and R09)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, Pattern
from ..facts.compiles import compiles
from ..facts.optimizers import untraced
from ..model import Finding
from . import restriction
from ._finding import finding

LOAD = "tensorflow.keras.models.load_model"


@restriction(code="R05", name="untraced-optimizer")
def untraced_optimizer(facts: Facts) -> Iterator[Finding]:
    """Optimizers of `compile` that can't be followed to where they are made, or not rebuilt."""
    for problem in untraced(facts):
        yield finding(facts, problem.node, "R05", problem.why, problem.way_out)


@restriction(code="R05", name="compiled-elsewhere")
def compiled_elsewhere(facts: Facts) -> Iterator[Finding]:
    """`fit` of a model that nothing in this file compiles: its optimizer is not distributed."""
    if facts.pattern is not Pattern.KERAS:
        return
    compiled = list(compiles(facts))
    for call, pattern in facts.training.places:
        func = call.func
        if (
            pattern is not Pattern.KERAS
            or not isinstance(func, ast.Attribute)
            or func.attr not in ("fit", "fit_generator")
        ):
            continue
        if not any(_same_model(facts, func.value, c.call.func.value) for c in compiled):  # type: ignore[attr-defined]
            loaded = any(
                isinstance(n, ast.Call) and facts.name(n.func) == LOAD
                for n in facts.origins(func.value).nodes
            )
            yield finding(
                facts,
                call,
                "R05",
                "this model is compiled elsewhere, with an optimizer that is not distributed",
                "compile it after loading it" if loaded else "compile it in this file",
            )


def _same_model(facts: Facts, fitted: ast.expr, compiled: ast.expr) -> bool:
    if ast.unparse(fitted) == ast.unparse(compiled):
        return True
    classes = facts.values.instance_of(fitted), facts.values.instance_of(compiled)
    if classes[0] is not None and classes[0] is classes[1]:
        return True
    one, other = facts.origins(fitted), facts.origins(compiled)
    return bool(set(one.nodes) & set(other.nodes))
