"""Callbacks that end the training, or set its rate, by a clock or by chance: each for itself.

Horovod's issue threads 403, 832: those that go on wait for the worker that has stopped.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.agreement.reasons import clocks
from ..facts.causes import spelled
from ..model import Finding
from . import restriction
from ._finding import finding
from .t07_own_predictions import decisions

MESSAGE = "`{}` is each worker's own, and one may {} here when others don't"
FIX = (
    "let worker 0 decide for all: `broadcast_object({0}, root_rank=0)` of `horovod.tensorflow` for "
    "`{0}`; or let a metric of `fit` decide, which is averaged"
)


@restriction(code="T07", name="own-stops")
def own_stops(facts: Facts) -> Iterator[Finding]:
    """What decides on `stop_training` and rates, by what no two workers have alike."""
    for what, asked in decisions(facts):
        for test in asked:
            source = next(clocks(facts, test), None)
            if source is not None:
                message, fix = MESSAGE.format(spelled(source), what), FIX.format(spelled(test))
                yield finding(facts, test, "T07", message, fix)._replace(proves=True)
                break
