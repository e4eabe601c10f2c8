"""How gradients of `tf.gradients` become those of all workers (D105)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..edits import At, Insert, Name, Replace, Wrap
from ..facts.optimizers.wrapped_optimizers import graph_gradients
from ..facts.value_parts import bound_to, can_be_named
from ..program.node_fields import within
from ._new_code import code, compressed, fresh, fresh_for, hvd

if TYPE_CHECKING:
    from ..facts import Facts
    from ..facts.optimizers.wrapped_optimizers import GraphGradients

EACH = "grad"


def averaged(facts: Facts) -> Iterator[At]:
    """Those of the whole program."""
    for computed in graph_gradients(facts):
        yield from _averaged(facts, computed)


def _averaged(facts: Facts, computed: GraphGradients) -> Iterator[At]:
    """The optimizer computes the gradients, where it is there already; else they are averaged."""
    call, one = computed.call, _each(facts, computed.call)
    if computed.optimizer is not None:
        loss, variables = (code(facts, each) for each in call.args)
        pairs = f"{computed.optimizer.id}.compute_gradients({loss}, {variables})"
        yield At(call, Replace(f"[{one} for {one}, _ in {pairs}]"))
        return
    mean = f"{hvd(facts)}.allreduce({one}{compressed(facts)})"
    means = f"[None if {one} is None else {mean} for {one} in {{}}]"
    bound = bound_to(facts, call)
    if bound is not None:
        yield At(call, Insert(after=f"{bound} = {means.format(bound)}\n", fold=True))
    elif can_be_named(facts, call):
        name = fresh_for(facts, "gradients", call)
        yield At(call, Name(name, f"{name} = {means.format(name)}\n"))
    else:
        yield At(call, Wrap(means.format("_")))


def _each(facts: Facts, call: ast.Call) -> str:
    """What one of the gradients is called: the name counts in the comprehension alone."""
    is_read = any(isinstance(node, ast.Name) and node.id == EACH for node in within(call))
    return fresh(facts, EACH) if is_read else EACH
