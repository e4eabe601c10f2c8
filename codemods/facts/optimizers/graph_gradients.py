"""Gradients of `tf.gradients` that an optimizer applies: Horovod averages only what it computes.

`compute_gradients` calls `tf.gradients`, and pairs what it gives with the variables:
https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/Optimizer. Where the optimizer is made
later, the gradients themselves are averaged (Horovod's issues 141, 291).
"""

from __future__ import annotations

import ast

from ...library.names import in_v1
from ...program.records import NamedTuple
from ..facts import Facts, recorded
from ..flow import flow_to
from ..training.pattern import is_distributed, runs_graph
from ..training.session_runs import applies

GRADIENTS = in_v1("gradients")


class GraphGradients(NamedTuple):
    """A call of `tf.gradients`, and the optimizer that can compute the same, where there is one."""

    call: ast.Call
    optimizer: ast.Name | None


@recorded
def graph_gradients(facts: Facts) -> tuple[GraphGradients, ...]:
    """The gradients that optimizers of a graph apply, though none of them computes these."""
    if not runs_graph(facts) or is_distributed(facts):
        return ()
    found: dict[ast.Call, list[ast.expr]] = {}
    for step in facts.calls("apply_gradients"):
        given = facts.argument(step, "grads_and_vars", 0) if applies(facts, step) else None
        for call in flow_to(facts, given, ("each", 0)).foreign if given is not None else ():
            if facts.name(call.func) in GRADIENTS:
                found.setdefault(call, []).append(step.func.value)  # type: ignore[attr-defined]
    return tuple(GraphGradients(call, _computes(facts, call, by)) for call, by in found.items())


def _computes(facts: Facts, call: ast.Call, optimizers: list[ast.expr]) -> ast.Name | None:
    """The one optimizer that has its name in the same block before the gradients are computed."""
    is_plain = len(call.args) == 2 and not call.keywords
    names = [each for each in optimizers if isinstance(each, ast.Name)]
    is_one = len(names) == len(optimizers) and len({name.id for name in names}) == 1
    return names[0] if is_plain and is_one and _is_before(facts, names[0], call) else None


def _is_before(facts: Facts, optimizer: ast.Name, call: ast.Call) -> bool:
    bindings = facts.names.bindings(optimizer)
    block, number = facts.block(facts.statement(call))
    return len(bindings) == 1 and bindings[0].node in block[:number]
