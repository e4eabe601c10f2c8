"""Where each worker would get examples in an order of its own, so that shares may overlap."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.draws import HASHED, READ, SHUFFLED, Draw
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..agreement.orders_by_chance import own_draw
from ..facts import Facts
from ..training import fits
from ..training.training_loops import is_for_a_round
from .array_loops import loops
from .batch_datasets import batch_datasets
from .fit_arrays import arrays_of_fits
from .handed_batches import handed_batches
from .hashed_orders import hashed_orders, put_in_order
from .orders import DIFFERENTLY
from .seeded_sources import seeded_sources
from .shares import shares_of
from .uses import Use
from .who_sees_what import ingredients_of_training_data, picking

_PARTS = (Use.TRAINING, Use.VALIDATION)


class OwnOrder(NamedTuple):
    """A place that makes an order, and what makes it the same one on all workers."""

    place: ast.expr | ast.keyword
    fix: str
    drawn: Draw | None = None  # None where it is a dataset that is gone through


def own_orders(facts: Facts) -> Iterator[OwnOrder]:
    """Draws that nobody seeded, names and sets in no order, shuffled datasets made arrays."""
    for call in facts.index.calls:
        drawn = own_draw(facts, call)
        if drawn is not None and _counts(facts, call, drawn):
            yield OwnOrder(call, drawn.fix, drawn)
    yield from (OwnOrder(each, HASHED.fix, HASHED) for each in hashed_orders(facts))
    yield from _split(facts)
    yield from _gone_through(facts)


def _split(facts: Facts) -> Iterator[OwnOrder]:
    """Shuffles behind which a dataset is parted or dealt out: of two orders the parts overlap."""
    data = shares_of(facts)
    ways = (way for end in data.ends if end.use in _PARTS for way in end.ways)
    whole = (
        call
        for way in ways
        for call in data.orders.splits(way)
        if not data.cuts_in(way[: [stage.expr for stage in way].index(call)])
    )
    for call in dict.fromkeys((*whole, *data.seeded)):
        yield OwnOrder(call, SHUFFLED.fix, SHUFFLED._replace(seeds=(("seed", 1),)))


def _counts(facts: Facts, call: ast.Call, drawn: Draw) -> bool:
    """Whether it may decide who sees what."""
    if handed_batches(facts).has(call) or any(call in loop.orders for loop in loops(facts)):
        return False  # of a worker's own share
    if drawn.is_split:
        return True
    if drawn.only_as_index and call not in picking(facts):
        return False
    if drawn.only_for_data and call not in ingredients_of_training_data(facts):
        return False
    if drawn.is_listing:
        return is_cut(facts) and call not in put_in_order(facts)
    return not is_wanted(facts, call)


def _gone_through(facts: Facts) -> Iterator[OwnOrder]:
    """Datasets in an order of each worker's own that loops go through to make the data.

    Where no data is cut, no shares can overlap, and a seed would give all the same batches.
    """
    if not is_cut(facts):
        return
    data = shares_of(facts)
    models = {*fits.fits(facts), *fits.tests(facts)}
    for end in data.ends:
        if (
            end.use in (Use.OTHER, Use.PEEK)
            and end.by not in models
            and end.expr in ingredients_of_training_data(facts)
        ):
            reasons = (data.orders.why_differs(way, as_written=True) or "" for way in end.ways)
            ways = [w for why, w in zip(reasons, end.ways) if why.endswith(DIFFERENTLY)]
            place = data.orders.where_differs(ways[0]) if ways else None
            if place is not None:
                calls = dict(s for way in ways for s in data.orders.shuffles(way))
                yield from _shuffled(facts, place, calls)


def _shuffled(
    facts: Facts, place: ast.expr | ast.keyword, calls: dict[ast.Call, int | None]
) -> Iterator[OwnOrder]:
    """What shuffles the dataset and takes a seed, or where else its order comes from."""
    seeded = seeded_sources(facts)
    for call, position in calls.items():
        if call in seeded:
            continue
        yield OwnOrder(call, SHUFFLED.fix, SHUFFLED._replace(seeds=(("seed", position),)))
    is_told = not seeded.keys().isdisjoint(facts.program.ingredients(place))
    if not calls and not is_told:
        is_read = isinstance(place, ast.keyword) and place.arg == "shuffle_files"
        yield OwnOrder(place, READ if is_read else SHUFFLED.fix)


def is_wanted(facts: Facts, call: ast.Call) -> bool:
    """Whether an order of each worker's own is what makes its batches differ from the others'.

    Where all of the data is left to every worker, a seed would give all of them the same batches.
    """
    return makes_batches(facts, call) or is_drawn_for_a_round(facts, call)


def is_drawn_for_a_round(facts: Facts, call: ast.Call) -> bool:
    """Whether a loop that trains draws a new order each time, and none of the data is cut.

    Also in a function that makes its batches: `random.sample` in `next_batch()`.
    """
    if is_cut(facts):
        return False
    return is_for_a_round(facts, call)


def is_cut(facts: Facts) -> bool:
    """Whether any of the data is shared out."""
    cut = shares_of(facts).has_any or arrays_of_fits(facts) or loops(facts)
    return bool(cut or handed_batches(facts).arrays or batch_datasets(facts))


def makes_batches(facts: Facts, node: ast.AST) -> bool:
    """Whether it stands in a generator, or in a class that gives batches by number."""
    function, cls = facts.function(node), facts.cls(node)
    if cls is not None and facts.classes.method(cls, "__getitem__") is not None:
        return True
    inside = within(function) if function is not None else ()
    return any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in inside)
