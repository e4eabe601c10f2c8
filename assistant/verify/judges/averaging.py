"""Are gradients averaged over the workers, all of them, once? (D201 tape, D105 optimizer)"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..record.events import Applied, Collective, Optimizer, Reduce
from ..record.verdict import Verdict, convicted, fine, unchecked
from . import judge
from ._compared_states import compare
from ._seen import (
    across,
    averages_by_hand,
    everyone,
    first_place,
    fits_of,
    is_graph,
    is_keras_3,
    made_steps,
    names,
    optimizers,
    reduces,
)
from ._words import count

if TYPE_CHECKING:
    from ..record.evidence import Evidence

LOADED = "; what `load_model` gives a model is a plain one, too (distify explain D206)"
ASKS = "whether gradients are averaged over the workers"
REDUCING = ("allreduce", "grouped_allreduce")
TAPE = "wrap the tape: `tape = hvd.DistributedGradientTape(tape)`, before `tape.gradient(…)`"
OPTIMIZER = (
    "wrap the optimizer before anything else gets hold of it: "
    "`optimizer = hvd.DistributedOptimizer(optimizer)`"
)
COMPUTED = (
    "Horovod averages in the optimizer's `compute_gradients`: take the gradients from it, "
    "`pairs = optimizer.compute_gradients(loss)`, and not from `tf.gradients`"
)
# Horovod's tape and optimizer don't know Keras 3.
TAPE_3 = "average each gradient: `gradients = [hvd.allreduce(g) for g in gradients]`"
OPTIMIZER_3 = (
    "let the optimizer's `apply` average, as `distify migrate` writes it for Keras 3 "
    "(distify explain D105)"
)


@judge(order=50, asks=ASKS, sees=("collectives", "variables"), by_set=True)
def averaging(evidence: Evidence) -> Iterator[Verdict]:
    """Convicts what is never averaged, averaged twice, or is no gradient of a variable."""
    found = [*_never(evidence), *_twice(evidence), *_others(evidence)]
    yield from found
    is_told = compare(evidence).apart and (never(evidence) or plain_beside(evidence))
    if not found and not is_told:  # of workers that drift apart it is told there
        yield _unseen(evidence) or fine(ASKS, _how_averaged(evidence))


def never(evidence: Evidence) -> bool:
    """Whether steps were made, and no gradient was handed to Horovod by any worker."""
    if not made_steps(evidence) or any(of_variables(evidence)):
        return False
    return not (is_keras_3(evidence) and _all_by_hand(evidence))


def _all_by_hand(evidence: Evidence) -> bool:
    """Whether the first step reduces as many tensors as it has variables, as Keras 3 needs it.

    Metrics are reduced later, when steps were made.
    """
    needed = [len(each.variables) for each in optimizers(evidence).values() if each.variables]
    counts = [
        sum(_tensors(c) for c in worker.all(Collective) if c.kind in REDUCING and not c.steps)
        for worker in everyone(evidence)
    ]
    return bool(needed) and min(counts, default=0) >= min(needed)


def _tensors(collective: Collective) -> int:
    """How many tensors it takes: a grouped one has a shape for each."""
    shapes = collective.shape or ()
    return max(1, sum(isinstance(shape, (list, tuple)) for shape in shapes))


def plain_beside(evidence: Evidence) -> Optimizer | None:
    """An optimizer that `fit` steps with and that nothing averages for, though it does for others.

    A model that `load_model` made trains on with such a one. Metrics are averaged by hand, too: it
    counts only where workers drift.
    """
    known = optimizers(evidence).values()
    if not any(each.distributed for each in known):
        return None
    if any(each.by == "tape" for each in reduces(evidence)):
        return None
    fits = {each.where for each in fits_of(evidence)}
    plain = {each.id: each for each in known if not each.distributed}
    applied = across(evidence, Applied)
    return next(
        (plain[a.optimizer] for a in applied if a.optimizer in plain and a.where in fits), None
    )


def of_variables(evidence: Evidence) -> list[Reduce]:
    """What was averaged of the variables' gradients."""
    return [reduce for reduce in reduces(evidence) if reduce.of == "variables"]


def rule(evidence: Evidence) -> tuple[str, str]:
    """The code and the fix: of the tape where the program applies gradients on its own."""
    if is_graph(evidence):
        wrapped = any(each.distributed for each in optimizers(evidence).values())
        return "D105", COMPUTED if wrapped else OPTIMIZER
    by_hand = any(each.by == "program" for each in across(evidence, Applied))
    known = optimizers(evidence).values()
    no_optimizer = bool(known) and all(each.api == "none" for each in known)
    if by_hand or no_optimizer:
        return "D201", TAPE_3 if is_keras_3(evidence) else TAPE
    return "D105", wrapping(evidence)


def wrapping(evidence: Evidence) -> str:
    """How an optimizer is wrapped, also one that comes out of a file."""
    if is_keras_3(evidence):
        return OPTIMIZER_3
    return OPTIMIZER + (LOADED if "load_model" in names(evidence) else "")


def _never(evidence: Evidence) -> Iterator[Verdict]:
    if not never(evidence) or averages_by_hand(evidence) or compare(evidence).apart:
        return  # of workers that drift apart it is told there, with the values that differ
    code, fix = rule(evidence)
    where = first_place(across(evidence, Applied))
    text = f"{why_never(evidence)}; each trains on its own examples alone"
    yield convicted(code, "gradients are never averaged", text, where=where, fix=fix)


def why_never(evidence: Evidence) -> str:
    """What was seen of gradients that nobody averages."""
    why = "no worker handed a gradient to Horovod"
    if any(each.distributed for each in optimizers(evidence).values()):
        why += " (a DistributedOptimizer was made, but its apply_gradients averages nothing)"
    if averages_by_hand(evidence):
        why += ", and what the program reduces on its own is not all of them"
    return why


def _twice(evidence: Evidence) -> Iterator[Verdict]:
    for worker in everyone(evidence):
        averaged = [each for each in worker.all(Reduce) if each.of == "variables"]
        tapes = [each for each in averaged if each.by == "tape"]
        others = [each for each in averaged if each.by != "tape" and _of_same(each, tapes)]
        # A tape for one model and an optimizer for another come with two applications; so do `fit`
        # and a tape, one behind the other. Steps that no graph holds are told of each time.
        ways = {(each.by, each.where) for each in averaged}
        applied = {each.where for each in worker.all(Applied)}
        if tapes and others and len(ways) > max(1, len(applied)):
            where, other = first_place(others), first_place(tapes)
            yield convicted(
                "D105",
                "gradients are averaged twice",
                "the same gradients go through DistributedGradientTape and DistributedOptimizer: "
                "every step waits for the network twice, and with op=Sum it is too long",
                where=where,
                places=(other,) if other else (),
                fix="keep the DistributedGradientTape, and leave the optimizer as it was made",
            )
            return


def _of_same(reduce: Reduce, others: Iterable[Reduce]) -> bool:
    """Whether it may be of the variables of one of the others: their names, where both have any."""
    named = [set(each.names) for each in others]
    return not reduce.names or any(not each or each & {*reduce.names} for each in named)


def _others(evidence: Evidence) -> Iterator[Verdict]:
    inner = [each for each in reduces(evidence) if each.of == "other"]
    if inner:
        yield convicted(
            "D201",
            "something else than the gradients of variables is averaged",
            "slopes at each worker's own examples (or other tensors) go through a "
            "DistributedGradientTape: every worker gets a mixture that belongs to no example",
            where=first_place(inner),
            fix="wrap only the tape whose gradients are applied",
        )


def _unseen(evidence: Evidence) -> Verdict | None:
    if not made_steps(evidence):
        return unchecked(ASKS, "no optimizer step was seen")
    return None


def _how_averaged(evidence: Evidence) -> str:
    averaged = of_variables(evidence)
    if not averaged:
        return "the program calls allreduce on its own"
    by = sorted({f"by the {each.by}" if each.by else "by Horovod" for each in averaged})
    most = max(each.count or 0 for each in averaged)
    return f"{count(most, 'gradient')} at a time, {' and '.join(by)}"
