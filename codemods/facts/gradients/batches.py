"""Loops over `train_on_batch`, which runs no callbacks: they broadcast as loops of one's own do.

Horovod with Keras, https://horovod.readthedocs.io/en/stable/keras.html, has no word on them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.records import NamedTuple
from ..facts import Facts
from ..naming import can_be_named
from ..training.pattern import Pattern, training_of
from .paths import is_path

LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Batch(NamedTuple):
    """One call after which the model is broadcast, with the loop before which its flag is made."""

    call: ast.Call
    model: ast.expr
    loop: ast.stmt


def batch_calls(facts: Facts) -> Iterator[ast.Call]:
    """Every call of `train_on_batch` that trains."""
    for call, pattern in training_of(facts).places:
        is_method = isinstance(call.func, ast.Attribute) and call.func.attr == "train_on_batch"
        if is_method and pattern is Pattern.KERAS:
            yield call


def batches(facts: Facts) -> list[Batch]:
    """The first call of each model in each loop."""
    found: list[Batch] = []
    for call in batch_calls(facts):
        batch = _batch(facts, call)
        if batch is not None and not any(_follows(facts, batch, other) for other in found):
            found.append(batch)
    return found


def unplaced_batches(facts: Facts) -> Iterator[ast.Call]:
    """Calls outside of any loop, on an unnamed model, or deep in an expression."""
    return (call for call in batch_calls(facts) if _batch(facts, call) is None)


def _batch(facts: Facts, call: ast.Call) -> Batch | None:
    assert isinstance(call.func, ast.Attribute)
    loop = _outermost_loop(facts, call)
    if loop is None or not is_path(call.func.value) or not can_be_named(facts, call):
        return None
    return Batch(call, call.func.value, loop)


def _outermost_loop(facts: Facts, call: ast.Call) -> ast.stmt | None:
    function = facts.function(call)
    loops = [
        p for p in facts.parents(call) if isinstance(p, LOOPS) and facts.function(p) is function
    ]
    return loops[-1] if loops else None


def _follows(facts: Facts, batch: Batch, other: Batch) -> bool:
    """Whether `other` has run whenever `batch` runs: it stands before it in a block around it."""
    if batch.loop is not other.loop or ast.unparse(batch.model) != ast.unparse(other.model):
        return False
    block, number = facts.block(facts.statement(other.call))
    after = set(block[number:])
    return bool(after & {facts.statement(batch.call), *facts.parents(batch.call)})
