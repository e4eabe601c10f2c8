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
from ..scopes import Binding
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
    """The size as it can be written at the place: as it was, by its name, or its number."""
    statement = facts.statement(place)
    is_plain = all(isinstance(node, _SIZES) for node in ast.walk(size))
    is_here = facts.function(size) is facts.function(place)
    is_same = is_here and means_the_same(facts, size, statement)
    if is_plain and (is_same or (not is_here and _is_fixed(facts, size, place))):
        return size
    number = facts.origins(size).only
    if isinstance(number, ast.Constant) and isinstance(number.value, int):
        return _name(facts, number, place) or number
    return None


def _is_fixed(facts: Facts, size: ast.expr, place: ast.expr) -> bool:
    """Whether it says the same in each function of a file: `BATCH`, `Config.BATCH`."""
    names = [node for node in ast.walk(size) if isinstance(node, ast.Name)]
    is_told = bool(names) and isinstance(facts.origins(size).only, ast.Constant)
    is_variable = all(_of_module(facts, n.id) == facts.names.bindings(n) for n in names)
    return is_told and is_variable and _in_one_file(facts, size, place)


def _name(facts: Facts, number: ast.Constant, place: ast.expr) -> ast.expr | None:
    """The variable of the module by which its number goes there: `BATCH = 32`."""
    assign = facts.parent(number)
    if not isinstance(assign, ast.Assign) or not _in_one_file(facts, number, place):
        return None
    target = assign.targets[0]
    is_known = isinstance(target, ast.Name) and len(assign.targets) == 1
    is_known = is_known and facts.parent(assign) is facts.module
    return target if is_known and _of_module(facts, target.id) else None  # type: ignore[attr-defined]


def _of_module(facts: Facts, name: str) -> Sequence[Binding]:
    """What binds a variable of the module that is bound at one place; empty for all others."""
    found = facts.index.scopes[facts.module].bindings.get(name, [])
    return found if len(found) == 1 else []


def _in_one_file(facts: Facts, one: ast.AST, other: ast.AST) -> bool:
    joined = facts.joined
    return joined is None or joined.home(one) == joined.home(other)
