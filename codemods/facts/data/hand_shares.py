"""Data that a program shares out itself: by the worker's number, or by steps for each worker."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.datasets import COUNTING
from ...program.node_fields import within
from ..by_rank import RANK, depends_on_rank, depends_on_size
from ..declared import has_own_rows
from ..facts import Facts
from ..horovod import member
from ..training import fits
from ..training.training_loops import rounds
from .stages import Stage
from .uses import End


def is_shared_out(facts: Facts, stage: Stage) -> bool:
    """Whether each worker gets elements of its own here: an order of its own is no share."""
    if not facts.has_horovod or stage.method == "shuffle" or not isinstance(stage.expr, ast.Call):
        return False
    given = [*stage.call.args, *(k.value for k in stage.call.keywords)]
    return any(depends_on_rank(facts, value) or _asks_inside(facts, value) for value in given)


def _asks_inside(facts: Facts, value: ast.expr) -> bool:
    """`lambda ds: ds.shard(hvd.size(), hvd.rank())`."""
    calls = (node for node in within(value) if isinstance(node, ast.Call))
    return any(member(facts, call.func) in RANK for call in calls)


def has_divided_steps(facts: Facts, end: End) -> bool:
    """Whether the program itself divides the number of steps for which it uses the data."""
    return facts.has_horovod and any(depends_on_size(facts, n) for n in _numbers(facts, end))


def _numbers(facts: Facts, end: End) -> Iterator[ast.expr]:
    for stage in (stage for way in end.ways for stage in way):
        if stage.method in COUNTING:
            yield from stage.call.args
    by = end.by
    if isinstance(by, ast.Call) and by in set(fits.fits(facts)):
        for name in ("steps_per_epoch", "validation_steps", "epochs"):
            yield from fits.arguments(facts, by, name)
    if isinstance(by, ast.Call):
        yield from rounds(facts, by)


def is_shared_by_hand(facts: Facts, fit: ast.Call) -> bool:
    """Whether the program itself gives each worker its data, or divides the steps of an epoch."""
    value = fits.data(facts, fit)
    if has_own_rows(facts, fit) or (value is not None and depends_on_rank(facts, value)):
        return True
    given = (fits.arguments(facts, fit, name) for name in ("steps_per_epoch", "epochs"))
    return any(depends_on_size(facts, count) for counts in given for count in counts)


def any_shared_by_hand(facts: Facts) -> bool:
    """Whether an epoch of some `fit` is made shorter by the program itself."""
    return any(is_shared_by_hand(facts, fit) for fit in fits.fits(facts))
