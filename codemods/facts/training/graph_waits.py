"""Programs in which no worker waits by a broadcast that stands in a line of its own.

A session of TensorFlow 1 runs what it is given: `hvd.broadcast(0, root_rank=0)` makes an operation.
"""

from __future__ import annotations

from ..facts import Facts
from .pattern import Pattern, training_of


def waits_in_graph(facts: Facts) -> bool:
    """Whether `hvd.broadcast` would only make an operation of a graph, for which nobody waits."""
    return training_of(facts).pattern is Pattern.SESSION and not facts.has_horovod
