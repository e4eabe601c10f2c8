"""A callback that every worker needs, in the list of some workers only.

horovod/horovod#1095, #3140; both were run on two workers: one waits for ever, or the rates differ.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.causes import spelled
from ..facts.workers.lone_callbacks import lone_callbacks, lone_stops
from ..library.callbacks import ENDS, PREFIX, SETS_RATE, callback
from ..model import Finding
from . import hazard
from ._finding import finding

MESSAGE = "`{}` runs on some workers only, by `{}` in line {}: {}"
WHY = {
    ENDS: "it ends their training, and the others wait for ever",
    SETS_RATE: "they go on with another rate, and the weights drift apart",
}
WAITS = "it waits for all the others, which have none"
STOP = (
    "`{}` is set on some workers only, by `{}` in line {}: they end, and the others wait for ever"
)
TELL = "tell all of them: `{0} = hvd.broadcast_object({0}, root_rank=0)` behind it, on every worker"
FIX = "put it in the list of every worker, behind hvd.callbacks.MetricAverageCallback()"


@hazard(code="H08", name="callbacks-of-some")
def callbacks_of_some(facts: Facts) -> Iterator[Finding]:
    """Errors, with what decides which workers have it."""
    for lone in lone_callbacks(facts):
        line, why = facts.place(lone.test)[0], WHY.get(callback(PREFIX + lone.name).does, WAITS)
        message = MESSAGE.format(lone.name, spelled(lone.test), line, why)
        yield finding(facts, lone.place, "H08", message, FIX)
    for place, test in lone_stops(facts):
        message = STOP.format(spelled(place), spelled(test), facts.place(test)[0])
        yield finding(facts, place, "H08", message, TELL.format(spelled(place)))
