"""How gradients of `tf.gradients` become those of all workers (D105)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..edits import At, Replace, Wrap
from ._new_code import code, compressed, fresh, hvd

if TYPE_CHECKING:
    from ..facts import Facts
    from ..facts.optimizers.graph_gradients import GraphGradients


def averaged(facts: Facts, computed: GraphGradients) -> At:
    """The optimizer computes the gradients, where it is there already; else they are averaged."""
    call, one = computed.call, fresh(facts, "gradient")
    if computed.optimizer is not None:
        loss, variables = (code(facts, each) for each in call.args)
        pairs = f"{computed.optimizer.id}.compute_gradients({loss}, {variables})"
        return At(call, Replace(f"[{one} for {one}, _ in {pairs}]"))
    mean = f"{hvd(facts)}.allreduce({one}{compressed(facts)})"
    return At(call, Wrap(f"[{one} if {one} is None else {mean} for {one} in _]"))
