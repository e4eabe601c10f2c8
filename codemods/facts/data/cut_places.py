"""Between which stages of a pipeline a cut may stand, and which place of those comes first."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ...library.datasets import (
    BATCHING,
    BUCKETING,
    COUNTING,
    READY_BATCHED,
    REGROUPING,
    SIFTING,
)
from ..changes import changes
from ..facts import Facts
from .row_numbers import rows_of
from .stages import Stage, Way, is_endless

MANY = 256  # files: four for each of 64 workers
_NAMING = ("from_tensor_slices", "list_files")
READING = frozenset(["interleave", "flat_map"])
_OF_NAMES = frozenset(["", "map", "shuffle", "repeat", "prefetch", "with_options", "cache"])
_NUMBERING = COUNTING | {"enumerate"}
_REORDERING = ("sort", "reverse")


def allowed_cut_range(way: Way) -> tuple[int, int]:
    """Between which stages cuts may stand: behind what regroups, before what mixes."""
    methods = [stage.method for stage in way]
    batches = [n for n, method in enumerate(methods) if method in BATCHING]
    upper = min([*_mixing_rows(way), *batches[-1:]], default=len(way))
    regrouping = REGROUPING | SIFTING | BATCHING
    after = [
        n
        for n, method in enumerate(methods)
        if n and method in regrouping and n not in batches[-1:]
    ]
    return max(after, default=0), upper


def of_many(facts: Facts, way: Way) -> Iterator[int]:
    """The stages of names of files, before these are read: many for each worker, by the text.

    Files hold more or fewer elements, so that shares are equal only where a way never ends.
    """
    source = way[0]
    given = source.call.args[:1] if source.method in _NAMING and is_endless(way) else []
    number = rows_of(facts, given[0]) if given and _stays_as_long(facts, given[0]) else None
    if isinstance(number, int) and number >= MANY and _leaves_names(way):
        reading = (n for n, stage in enumerate(way) if stage.method in READING)
        yield from range(min([*_mixing(way), *reading], default=0))


def _leaves_names(way: Way) -> bool:
    """Whether nothing counts, picks, groups or numbers the names before they are read.

    Nor may anything count or join what is read of them, until it is repeated: `skip(1000)` skips
    other examples of each worker's files, and what `concatenate` adds all workers would have whole.
    """
    methods = [stage.method for stage in way[1:]]
    first = next((n for n, method in enumerate(methods) if method in READING), len(methods))
    repeat = methods.index("repeat") if "repeat" in methods else len(methods)
    read = set(methods[first:]) - BUCKETING
    counted = set(methods[: max(first, repeat)])
    return set(methods[:first]) <= _OF_NAMES and not read & REGROUPING and not counted & _NUMBERING


def _stays_as_long(facts: Facts, names: ast.expr) -> bool:
    """Whether nothing puts names into a list, or takes some out: `del files[4:]`."""
    known = facts.index.loads.get(names.id, ()) if isinstance(names, ast.Name) else ()
    return not any(_lengthens(facts, facts.parent(each)) for each in known)


def _lengthens(facts: Facts, use: ast.AST | None) -> bool:
    if isinstance(use, ast.Subscript):
        return not isinstance(use.ctx, ast.Load)
    call = facts.parent(use) if isinstance(use, ast.Attribute) else None
    is_changed = isinstance(call, ast.Call) and call.func is use and bool(changes(facts, call))
    return is_changed and getattr(use, "attr", "") not in _REORDERING


def in_all(ways: Sequence[Way]) -> set[ast.expr]:
    """The datasets that every one of these ways comes through."""
    return set.intersection(*({stage.expr for stage in way} for way in ways))


def made_by(way: Way) -> list[ast.expr]:
    """The calls of functions of the program on a way."""
    return [
        stage.expr for stage in way[1:] if isinstance(stage.expr, ast.Call) and not stage.method
    ]


def behind_all(ways: Sequence[Way]) -> list[ast.expr]:
    """The places on all ways behind everything that a method does, the first one first."""
    common = in_all(ways)
    last = [max(n for n, s in enumerate(way) if s.method or not n) for way in ways]
    return [
        stage.expr
        for stage in ways[0][last[0] :]
        if stage.is_whole
        and stage.expr in common
        and all(stage.expr in [s.expr for s in way[n:]] for way, n in zip(ways, last))
    ]


def is_batched(way: Way, expr: ast.expr) -> bool:
    """Whether the elements of a stage are the batches of the data, which are few."""
    return batch_stage(way, expr) is not None


def is_few(way: Way, expr: ast.expr) -> bool:
    """Whether the elements of a stage are batches of any kind, of which none may be left out."""
    place = next(number for number, stage in enumerate(way) if stage.expr is expr)
    return is_batched(way, expr) or any(s.method in BUCKETING for s in way[: place + 1])


def batch_stage(way: Way, expr: ast.expr) -> int | None:
    """The number of the stage that made the batches which a stage of the way gives.

    The last batch of a way makes those; what is batched earlier are examples, of characters say.
    """
    place = next(number for number, stage in enumerate(way) if stage.expr is expr)
    methods = [stage.method for stage in way]
    batches = [n for n, method in enumerate(methods) if method in BATCHING][-1:]
    batches += [0] if _is_ready_batched(way[0]) else []
    parted = [n for n, method in enumerate(methods[: place + 1]) if method == "unbatch"]
    return next((n for n in batches if max(parted, default=-1) < n <= place), None)


def _is_ready_batched(source: Stage) -> bool:
    size = Facts.argument(source.call, "batch_size")
    is_none = isinstance(size, ast.Constant) and size.value is None
    return source.method in READY_BATCHED and not is_none


def preferred(way: Way, lower: int, upper: int) -> Iterator[int]:
    """First single elements; else whole batches, where a cut before them was not possible."""
    yield from _behind_counts(way, lower, upper)
    yield from _behind_counts(way, upper, min(_mixing_rows(way), default=len(way)))


def _mixing(way: Way) -> Iterator[int]:
    """Stages that give each epoch another order; one that is shuffled once and for all has one."""
    for number, stage in enumerate(way):
        if stage.method == "repeat" or (stage.method == "shuffle" and not _is_once(stage)):
            yield number


def _mixing_rows(way: Way) -> Iterator[int]:
    """Those that mix what is read; names of files in one order (D108) are read in one order."""
    reading = max((n for n, stage in enumerate(way) if stage.method in READING), default=0)
    return (n for n in _mixing(way) if n > reading or way[n].method == "repeat")


def _is_once(shuffle: Stage) -> bool:
    again = Facts.argument(shuffle.call, "reshuffle_each_iteration", 2)
    return isinstance(again, ast.Constant) and again.value is False


def _behind_counts(way: Way, lower: int, upper: int) -> Iterator[int]:
    """Behind `take` and `skip`, whose counts then stay as they are; else before them."""
    counts = [n for n in range(lower, upper) if way[n].method in COUNTING]
    start = max(counts, default=lower)
    yield from range(start, upper)
    yield from range(lower, start)
