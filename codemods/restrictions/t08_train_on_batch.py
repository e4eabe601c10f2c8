"""A call of `train_on_batch` stands in a loop of a function, where a broadcast can follow it."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.gradients.batches import unplaced_batches
from ..model import Finding
from . import restriction
from ._finding import finding


@restriction(code="T08", name="train-on-batch")
def train_on_batch(facts: Facts) -> Iterator[Finding]:
    """Calls that no loop in the same function repeats, or of a model without a name."""
    for call in unplaced_batches(facts):
        yield finding(
            facts,
            call,
            "T08",
            "unknown: when this train_on_batch runs for the first time",
            "call it on a named model, in a loop of the same function",
        )
