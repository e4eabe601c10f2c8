"""Workers whose epochs are equally long, and of which one makes fewer: no share is to blame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..record.events import EpochEnd, Iteration
from ._drift_causes import Cause
from ._epochs import common_via, first_epoch
from ._loop_exits import Exit, early_exit
from ._seen import everyone, first_place, fits_of
from ._sets import sets
from ._words import count, workers

if TYPE_CHECKING:
    from ..record.evidence import Evidence

TITLE = "the workers make different numbers of epochs"
WAIT = "let all workers end together: `hvd.allreduce(tf.constant(0.0), name='end')` at the end"
BY_ITSELF = "a worker ends its loop by a value of its own"
ALIKE = (
    "let all workers end together, by a value that is the same on all of them: "
    "`value = float(hvd.allreduce(value))`, before it is compared"
)
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
    fits = fits_of(evidence)
    left = None if fits else early_exit(evidence.job.root, where)
    if left is not None and left.inner and not _came_to_its_end(evidence, ranks, steps):
        return _by_itself(f"{workers(ranks)} left the loop of the steps", left)
    length = _length(evidence)
    if not length or not steps or steps % length:
        return None
    made = f"{count(steps // length, 'epoch')} of {count(length, 'step')} each"
    why = f"{workers(ranks)} made {made}, the others more, of as many steps"
    if left is not None and not left.inner:
        return _by_itself(why, left)
    return Cause("D302" if fits else "H03", TITLE, why, first_place(fits) or where, TELL)


def _by_itself(why: str, left: Exit) -> Cause:
    return Cause("H03", BY_ITSELF, f"{why}; {left.where} ends it early", left.where, ALIKE)


def _came_to_its_end(evidence: Evidence, ranks: Sequence[int], steps: int) -> bool:
    """Whether the data of a worker that left was at its end; also where none was iterated."""
    early = [evidence.workers[rank] for rank in ranks]
    ends = [{each.steps for each in worker.all(EpochEnd)} for worker in early]
    begun = all(worker.all(Iteration) for worker in early)
    return not begun or any(steps in each for each in ends)


def _length(evidence: Evidence) -> int:
    """How many steps an epoch has; 0 where that is not the same on all workers, or not known."""
    everybody = everyone(evidence)
    via = common_via(everybody)
    epochs = [] if via is None else [first_epoch(worker, via) for worker in everybody]
    lengths = {len(epoch.batches) if epoch.whole else 0 for epoch in epochs}
    return lengths.pop() if len(lengths) == 1 else 0
