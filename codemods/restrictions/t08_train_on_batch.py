"""`train_on_batch` runs no callbacks, so nothing would broadcast the first worker's state."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..model import Finding
from . import restriction
from ._finding import finding


@restriction(code="T08", name="train-on-batch")
def train_on_batch(facts: Facts) -> Iterator[Finding]:
    """Loops over `train_on_batch`, which are not rewritten yet."""
    for call, _ in facts.training.places:
        if isinstance(call.func, ast.Attribute) and call.func.attr == "train_on_batch":
            yield finding(
                facts,
                call,
                "T08",
                "a loop over train_on_batch is not rewritten yet",
                "train with fit, or with tf.GradientTape and apply_gradients",
            )
