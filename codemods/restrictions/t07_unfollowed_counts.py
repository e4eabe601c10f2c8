"""A count that can't be followed, in a program that draws numbers: is it one of these?

Horovod's issue threads 403, 2083: who takes one step more than the others waits for ever.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.agreement.chance import draws
from ..facts.agreement.control import unfollowed_counts
from ..facts.sessions.session_starts import counts, is_told
from ..facts.training.pattern import training_of, waits_in_graph
from ..facts.training.training_loops import told_counts
from ..model import Finding
from . import restriction
from ._finding import UPDATE, note
from .t07_workers_disagree import FIX

UNKNOWN = (
    "nobody can tell whether all workers have this count, as the program draws numbers; every "
    "worker has to take the same number of steps"
)


@restriction(code="T07", name="unfollowed-counts")
def counts_out_of_sight(facts: Facts) -> Iterator[Finding]:
    """Notes for the counts of training loops, where a count may be drawn out of sight."""
    if not any(draws(facts, call) for call in facts.index.calls):
        return
    calls = [call for call, _ in training_of(facts).places]
    found = (each for call in calls for each in unfollowed_counts(facts, call))
    told = {rounds for rounds, count in counts(facts) if is_told(facts, count)}
    told.update(() if waits_in_graph(facts) else told_counts(facts))  # rank 0 tells them: D205
    for count in (each for each in dict.fromkeys(found) if each not in told):
        yield note(facts, count, "T07", UNKNOWN, FIX, kind=UPDATE)
