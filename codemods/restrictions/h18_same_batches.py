"""All workers draw the same batches: one seed, and the data is not shared out.

https://horovod.readthedocs.io/en/stable/tensorflow.html; rules, section 4.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.causes import spelled
from ..facts.workers.drawn_alike import same_beginnings, same_draws
from ..model import Finding
from . import hazard
from ._finding import warning

MESSAGE = (
    "every worker draws the same examples here, by the seed `{}` in line {}, and none has a share "
    "of its own: all of them take one worker's steps"
)
FIRST = (
    "every worker takes the first of the same examples here, and none has a share of its own: all "
    "of them take one worker's steps, and nobody sees the rest"
)
SHARE = (
    "put `.shard(hvd.size(), hvd.rank())` in front of what makes batches, or shuffle without a seed"
)
FIX = "add `hvd.rank()` to the seed of the data, or give each worker its share"


@hazard(code="H18", name="same-batches")
def same_batches(facts: Facts) -> Iterator[Finding]:
    """Warnings: nothing hangs, and nothing is learned faster than by one worker."""
    for call, seed in same_draws(facts):
        message = MESSAGE.format(spelled(seed), facts.place(seed)[0])
        yield warning(facts, call, "H18", message, FIX)
    for call in same_beginnings(facts):
        yield warning(facts, call, "H18", FIRST, SHARE)
