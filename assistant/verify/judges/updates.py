"""Is the first update that of one process, where all workers together take its batch? (D109)

One process is given the weights and the rows of a step of all workers, so that neither the start
nor the order of the rows makes a difference: it computes the gradients of the whole batch at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..record.events import Optimizer
from ..record.verdict import Verdict, convicted, fine, unchecked
from . import judge
from ._seen import optimizers
from ._size import CLOSE, Likeness, examples, likeness
from .shards import takes_one_batch

if TYPE_CHECKING:
    from ..record.evidence import Evidence

ASKS = "whether the first update is that of one process"
TITLE = "the update of the workers is not that of one process"
FIX = (
    "let the loss be a mean over the rows, each term of one row; else let each worker take a whole "
    'batch (`batch = "worker"`)'
)
APART = "not compared: one process could not take the rows of all workers at once"
NO_MEAN = ", or a loss that is no mean over the rows"


@judge(order=54, asks=ASKS, sees=("gradients", "examples"), by_set=True)
def updates(evidence: Evidence) -> Iterator[Verdict]:
    """Compares where a step of all workers takes as many examples as one of a single process."""
    if examples(evidence) != 1 or evidence.job.size < 2 or takes_one_batch(evidence):
        return
    for optimizer in optimizers(evidence).values():
        found = likeness(evidence, optimizer)
        if isinstance(found, str):
            yield unchecked(ASKS, f"not compared: {found}{NO_MEAN if 'multiple' in found else ''}")
        elif found.chunks > 1:
            yield unchecked(ASKS, APART)
        else:
            yield _likeness_verdict(optimizer, found)


def _likeness_verdict(optimizer: Optimizer, found: Likeness) -> Verdict:
    """What the gradients of the workers are, beside those of one process."""
    if abs(found.factor - 1) > CLOSE:
        text = f"{optimizer.cls}: the gradients of one process times {found.factor:.3g}"
        return convicted("D109", TITLE, text, fix=FIX)
    text = f"{optimizer.cls}: the gradients of the same batch, equal to {found.distance:.1g}"
    return fine(ASKS, text)
