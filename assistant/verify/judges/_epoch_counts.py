"""Workers whose epochs are equally long, and of which one makes fewer: no share is to blame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ._causes import Cause
from ._epochs import common_via, first_epoch
from ._seen import everyone, first_place, fits_of
from ._sets import sets
from ._words import count, workers

if TYPE_CHECKING:
    from ..evidence import Evidence

TITLE = "the workers make different numbers of epochs"
WAIT = "let all workers end together: `hvd.allreduce(tf.constant(0.0), name='end')` at the end"
TELL = (
    "let rank 0 tell where the training goes on: `initial_epoch=int(hvd.broadcast(epoch, "
    "root_rank=0))`, or `range(int(hvd.broadcast(start, root_rank=0)), epochs)`"
)


def fewer_epochs(
    evidence: Evidence, ranks: Sequence[int], steps: int, where: str | None
) -> Cause | None:
    """The cause, where `ranks` ended after `steps` steps, all of them in whole epochs.

    D302 lets rank 0 tell the epoch of a `fit`; in a loop of one's own it may be another exit.
    """
    if tuple(ranks) in sets(evidence):
        why = f"{workers(ranks)} are a process set of their own; whoever ends ends Horovod for all"
        return Cause("H03", "a process set comes to its end before another", why, where, WAIT)
    length = _length(evidence)
    if not length or not steps or steps % length:
        return None
    fits = fits_of(evidence)
    made = f"{count(steps // length, 'epoch')} of {count(length, 'step')} each"
    why = f"{workers(ranks)} made {made}, the others more, of as many steps"
    return Cause("D302" if fits else "H03", TITLE, why, first_place(fits) or where, TELL)


def _length(evidence: Evidence) -> int:
    """How many steps an epoch has; 0 where that is not the same on all workers, or not known."""
    everybody = everyone(evidence)
    via = common_via(everybody)
    epochs = [] if via is None else [first_epoch(worker, via) for worker in everybody]
    lengths = {len(epoch.batches) if epoch.whole else 0 for epoch in epochs}
    return lengths.pop() if len(lengths) == 1 else 0
