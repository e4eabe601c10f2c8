"""Every worker learns by the same state: none that it computes from its own batches alone.

A note, as a state of one's own may be wanted; in a codebook or the centers of classes it isn't, and
nothing ends or says so.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.gradients.own_updates import states
from ..judge.disagreements import disagreements
from ..judge.sinks import OF_BATCHES
from ..model import Finding
from . import restriction
from ._finding import UPDATE, note

MESSAGE = (
    "each worker computes this from its own batches, and learns by it: nothing averages it, and "
    "what they learn by becomes another one on each"
)
FIX = "average what comes of the batch first, on every worker: `allreduce` of `horovod.tensorflow`"


@restriction(code="T07", name="own-states")
def states_of_ones_own(facts: Facts) -> Iterator[Finding]:
    """Notes for variables that a step assigns from a batch and a loss reads."""
    for call, value in states(facts):
        if disagreements(facts).of_batches.of(value).kind in OF_BATCHES:
            yield note(facts, call, "T07", MESSAGE, FIX, kind=UPDATE)
