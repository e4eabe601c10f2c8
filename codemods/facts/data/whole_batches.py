"""Datasets whose elements are whole batches: taken apart, shared out, and batched as they were.

A share of the batches themselves would leave out all batches that don't come out even, and be empty
where there are fewer of them than workers.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from ...library.datasets import READY_BATCHED, SEVERAL_SHAPES
from ..facts import Facts
from .cut_places import batch_stage
from .same_meaning import means_the_same
from .stages import Stage, Way

_KEEPING = frozenset(["", "prefetch", "with_options", "cache", "take", "skip"])
_SIZES = (ast.Name, ast.Attribute, ast.Constant, ast.BinOp, ast.operator, ast.expr_context)


class Batch(NamedTuple):
    """How batches are made: of how many examples, and whether a smaller last one is dropped."""

    size: ast.expr | int
    drops_last: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for batches that are made alike."""
        size = self.size
        return (size if isinstance(size, int) else ast.dump(size), self.drops_last)


def batch_of_all(facts: Facts, ways: Sequence[Way], expr: ast.expr) -> Batch | None:
    """How the elements of a place can be batched anew; None where that isn't known on some way."""
    found = [_batch(facts, way, expr) for way in ways]
    known = {batch.key for batch in found if batch is not None}
    return found[0] if len(known) == 1 and None not in found else None


def _batch(facts: Facts, way: Way, expr: ast.expr) -> Batch | None:
    """None as well where something since the batch may have made its elements others."""
    number = batch_stage(way, expr)
    place = next(n for n, stage in enumerate(way) if stage.expr is expr)
    if number is None or any(s.method not in _KEEPING for s in way[number + 1 : place + 1]):
        return None
    stage = way[number]
    size = _size(facts, stage)
    if isinstance(size, ast.expr):
        size = _at(facts, size, expr)
    drops = facts.argument(stage.call, "drop_remainder", 1) if stage.method == "batch" else None
    is_known = drops is None or isinstance(drops, ast.Constant)
    if size is None or not is_known:
        return None
    return Batch(size, isinstance(drops, ast.Constant) and drops.value is True)


def _size(facts: Facts, stage: Stage) -> ast.expr | int | None:
    if stage.method == "batch":
        return facts.argument(stage.call, "batch_size", 0)
    if stage.method not in READY_BATCHED or stage.method in SEVERAL_SHAPES:
        return None
    given = facts.argument(stage.call, "batch_size")
    return READY_BATCHED[stage.method] if given is None else given


def _at(facts: Facts, size: ast.expr, place: ast.expr) -> ast.expr | None:
    """The size as it can be written at the place: its number, or names that mean the same there."""
    number = facts.origins(size).only
    if isinstance(number, ast.Constant) and isinstance(number.value, int):
        return number
    statement = facts.statement(place)
    is_plain = all(isinstance(node, _SIZES) for node in ast.walk(size))
    is_here = facts.function(size) is facts.function(place)
    return size if is_plain and is_here and means_the_same(facts, size, statement) else None
