"""Pipelines that end at another step on each worker: the first one to end hangs the others."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.by_rank import depends_on_rank
from ..facts.causes import Cause
from ..facts.data.orders import Orders
from ..facts.data.pipeline_shares import shares_of
from ..facts.data.pipelines import Way, is_endless
from ..facts.data.uses import Use
from ..facts.horovod import calls_of
from ..library.datasets import CHOOSING, COUNTING, SIFTING
from ..model import Finding
from . import restriction
from ._finding import finding, moved

FIX = "give it a `seed`, or repeat the dataset and train for a fixed number of steps"
RANDOM = ("rejection_resample", "sample_from_datasets")


@restriction(code="K04", name="uneven-steps")
def uneven_steps(facts: Facts) -> Iterator[Finding]:
    """Training data whose number of elements depends on a random choice of each worker."""
    data = shares_of(facts)
    can_join = any(calls_of(facts, "join"))  # who ends first waits for the others
    for end in data.ends:
        reasons = [
            why_uneven(way, data.orders) or (None if can_join else chosen_behind(facts, way))
            for way in end.ways
            if end.use is Use.TRAINING
        ]
        reason = next((r for r in reasons if r), None)
        if reason is not None:
            why = f"{reason.why}: they would take different numbers of steps, and wait for ever"
            yield moved(
                facts, finding(facts, end.expr, "K04", why, FIX), end.by, Cause(reason.place)
            )


def why_uneven(way: Way, orders: Orders) -> Cause | None:
    """What is random about the number of elements, and what needs a seed."""
    if is_endless(way):
        return None
    for step in way:
        if step.method in RANDOM and not any(k.arg == "seed" for k in step.call.keywords):
            return Cause(step.expr, f"`{step.method}` chooses other elements on every worker")
    stage, place = 0, way[0].expr  # 1: shuffled, 2: and some of them taken
    for step in way:
        if step.method == "shuffle" and not orders.is_seeded_shuffle(step):
            place = place if stage else step.expr
            stage = max(stage, 1)
        elif step.method in COUNTING and stage == 1:
            stage = 2
        elif step.method in SIFTING and stage == 2:
            return Cause(place, f"`{step.method}` sees other elements on every worker")
    return None


def chosen_behind(facts: Facts, way: Way) -> Cause | None:
    """What chooses among the elements of a share, of which each worker's has another number."""
    is_share = False
    for step in () if is_endless(way) else way:
        if step.method == "shard" and depends_on_rank(facts, step.call):
            is_share = True
        elif is_share and step.method in CHOOSING:
            return Cause(step.expr, f"`{step.method}` gives another number of each worker's share")
    return None
