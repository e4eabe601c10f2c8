"""How gradients of `tf.gradients` become those of all workers (D105)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..edits import At, Insert, Name, Replace, Wrap
from ..facts.naming import bound_to, can_be_named
from ._new_code import code, compressed, fresh, fresh_for, hvd

if TYPE_CHECKING:
    from ..facts import Facts
    from ..facts.optimizers.graph_gradients import GraphGradients


def averaged(facts: Facts, computed: GraphGradients) -> At:
    """The optimizer computes the gradients, where it is there already; else they are averaged."""
    call, one = computed.call, fresh(facts, "grad")
    if computed.optimizer is not None:
        loss, variables = (code(facts, each) for each in call.args)
        pairs = f"{computed.optimizer.id}.compute_gradients({loss}, {variables})"
        return At(call, Replace(f"[{one} for {one}, _ in {pairs}]"))
    mean = f"{hvd(facts)}.allreduce({one}{compressed(facts)})"
    means = f"[{one} if {one} is None else {mean} for {one} in {{}}]"
    bound = bound_to(facts, call)
    if bound is not None:
        return At(call, Insert(after=f"{bound} = {means.format(bound)}\n", fold=True))
    if can_be_named(facts, call):
        name = fresh_for(facts, "gradients", call)
        return At(call, Name(name, f"{name} = {means.format(name)}\n"))
    return At(call, Wrap(means.format("_")))
