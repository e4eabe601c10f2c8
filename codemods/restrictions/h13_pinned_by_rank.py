"""A GPU is chosen by the worker's number in the whole job: a second machine has no such GPU.

https://horovod.readthedocs.io/en/stable/tensorflow.html: "Pin each GPU to a single process".
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.causes import spelled
from ..facts.workers.horovod_parts import pins_of_job
from ..model import Finding
from . import hazard
from ._finding import warning

MESSAGE = (
    "the GPU is chosen by the worker's number in the whole job: on a second machine there is no "
    "GPU of that number"
)
FIX = "choose it by the number on its machine: write `{0}local_rank()` for `{0}rank()`"


@hazard(code="H13", name="pinned-by-rank")
def pinned_by_rank(facts: Facts) -> Iterator[Finding]:
    """Warnings: on one machine both numbers are the same."""
    for call in pins_of_job(facts):
        yield warning(facts, call, "H13", MESSAGE, FIX.format(spelled(call.func)[: -len("rank")]))
