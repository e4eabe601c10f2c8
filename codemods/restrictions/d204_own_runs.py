"""Runs of experiment loggers that no rule leaves to rank 0: each worker makes one of its own."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.output.open_sinks import sinks
from ..facts.output.outputs import own_runs
from ..model import Finding
from . import restriction
from ._finding import LOOK, note

MESSAGE = (
    "every worker makes a run of its own here: the dashboard shows as many as there are workers"
)
FIX = (
    "make it under `if hvd.rank() == 0:`, and what the others read of it a value of all: "
    "`run_id = hvd.broadcast_object(run_id, root_rank=0)` of `horovod.tensorflow`"
)


@restriction(code="D204", name="own-runs")
def runs_of_each_worker(facts: Facts) -> Iterator[Finding]:
    """Notes: the training is right all the same."""
    for call in own_runs(facts):
        if call not in sinks(facts):
            yield note(facts, call, "D204", MESSAGE, FIX, kind=LOOK)
