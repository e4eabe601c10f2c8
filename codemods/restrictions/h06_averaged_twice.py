"""Gradients that go through two averages: a wrapped tape, and beside it another one.

https://horovod.readthedocs.io/en/stable/tensorflow.html: wrap the tape, and leave the optimizer.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.causes import spelled
from ..facts.horovod import AVERAGES, calls_of
from ..facts.workers.horovod_parts import averaged_twice
from ..model import Finding
from . import hazard
from ._finding import warning

MESSAGE = (
    "these gradients are averaged by the wrapped tape in line {}, and once more by {}: where that "
    "takes their sum, they are N times too large"
)
FIX = "wrap the tape alone: `tape = hvd.DistributedGradientTape(tape)`"


@hazard(code="H06", name="averaged-twice")
def averages(facts: Facts) -> Iterator[Finding]:
    """Warnings: a mean of means is the same mean, at twice the cost."""
    for application, first in averaged_twice(facts):
        line = facts.place(first)[0]
        by = "`hvd.allreduce`" if _by_hand(facts) else f"`{_optimizer(application)}`"
        yield warning(facts, application, "H06", MESSAGE.format(line, by), FIX)


def _by_hand(facts: Facts) -> bool:
    return any(True for _ in calls_of(facts, *AVERAGES))


def _optimizer(application: ast.Call) -> str:
    return spelled(application.func.value)  # type: ignore[attr-defined]
