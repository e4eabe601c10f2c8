"""A call of `train_on_batch` stands in a loop of a function, where a broadcast can follow it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.gradients.applied_variables import is_path
from ..facts.gradients.trained_models import unplaced_batches
from ..model import Finding
from . import restriction
from ._finding import finding

ROUND = "put it into the loop that repeats it, or into one of its own: `for _ in range(1):`"
NAMED = "give the model a name first: `model = {}`, and write `model.train_on_batch` here"


@restriction(code="T08", name="train-on-batch")
def train_on_batch(facts: Facts) -> Iterator[Finding]:
    """Calls that no loop in the same function repeats, or of a model without a name."""
    for call in unplaced_batches(facts):
        yield finding(
            facts,
            call,
            "T08",
            "nobody can tell when this train_on_batch runs for the first time",
            advice(facts, call),
        )


def advice(facts: Facts, call: ast.Call) -> str:
    """A name for the model, or a loop around the call."""
    model = call.func.value  # type: ignore[attr-defined]
    return ROUND if is_path(model) else NAMED.format(ast.unparse(model))
