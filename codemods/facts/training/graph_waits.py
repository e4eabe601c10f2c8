"""Programs in which no worker waits by a broadcast that stands in a line of its own.

`hvd.broadcast(0, root_rank=0)` fails in a graph of TensorFlow 1: it asks the number for its name,
as if it were a tensor. That of a tensor only makes an operation, which a session has to run.
"""

from __future__ import annotations

from ..facts import Facts
from .pattern import Pattern, training_of


def waits_in_graph(facts: Facts) -> bool:
    """Whether `hvd.broadcast` of a number would fail, since a session trains."""
    return training_of(facts).pattern is Pattern.SESSION and not facts.has_horovod
