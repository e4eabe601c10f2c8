"""All workers train one model in one way: nothing that only one of them has decides on it.

How the model looks, its numbers, rates and weights, whether a step is taken, when training ends;
and notes for what nobody can follow, or may be meant to differ. Horovod's issue threads 403, 1095,
2083, 3140; hazard "rank-dependent early exit".
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.gradients.own_updates import states
from ..judge.disagreements import disagreements
from ..judge.sinks import OF_BATCHES
from ..model import Finding
from . import restriction
from ._disagreement import SHARED, of_code
from ._finding import UPDATE, note

UNKNOWN = (
    "nobody can tell whether all workers have this count; every worker has to take the same number "
    "of steps"
)
# A state of one's own may be wanted; in a codebook or the centers of classes it isn't, and nothing
# ends or says so.
OWN_STATE = (
    "each worker computes this from its own batches, and learns by it: nothing averages it, and "
    "what they learn by becomes another one on each"
)
FIX = "average what comes of the batch first, on every worker: `allreduce` of `horovod.tensorflow`"


@restriction(code="T07", name="own-states")
def states_of_ones_own(facts: Facts) -> Iterator[Finding]:
    """Notes for variables that a step assigns from a batch and a loss reads."""
    for call, value in states(facts):
        if disagreements(facts).of_batches.of(value).kind in OF_BATCHES:
            yield note(facts, call, "T07", OWN_STATE, FIX, kind=UPDATE)


@restriction(code="T07", name="unfollowed-counts")
def counts_out_of_sight(facts: Facts) -> Iterator[Finding]:
    """Notes for the counts of training loops that code of the program makes out of sight."""
    for count in disagreements(facts).unfollowed():
        yield note(facts, count, "T07", UNKNOWN, SHARED, kind=UPDATE)


@restriction(code="T07", name="workers-disagree")
def workers_disagree(facts: Facts) -> Iterator[Finding]:
    """What of the training hangs on a value that workers don't share."""
    return of_code(facts, "T07")
