"""Examples that each worker chooses by chance: it gets a number of them of its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.data.drawn_batches import is_endless
from ..facts.data.drawn_counts import chosen
from ..facts.data.own_orders import alike, own_orders
from ..facts.data.pipelines import has_no_count
from ..facts.training import fits
from ..facts.training.training_loops import trains
from ..facts.value_parts import ingredients
from ..model import Finding
from . import restriction
from ._finding import drawn_at, finding

MESSAGE = (
    "every worker chooses another number of examples: they would take different numbers of "
    "steps, and wait for ever"
)
GROUPS = (
    "every worker draws other groups here, which are not equally large: they would take different "
    "numbers of steps, and wait for ever"
)


@restriction(code="K04", name="chosen-by-chance", proves=True)
def chosen_by_chance(facts: Facts) -> Iterator[Finding]:
    """Masks of random numbers that nobody seeded, and groups drawn without a seed."""
    found = {
        pair
        for expr in lengths(facts)
        if not (is_repeated(facts, expr) or is_endless(facts, expr))
        for pair in chosen(facts, expr)
    }
    for place, drawn in sorted(found, key=lambda pair: (pair[0].lineno, pair[0].col_offset))[:1]:
        blocked = finding(facts, place, "K04", MESSAGE, "")
        yield drawn_at(facts, blocked, place, drawn)
    for order in own_orders(facts):
        if order.drawn is not None and order.drawn.is_of_groups and order.place not in alike(facts):
            yield finding(facts, order.place, "K04", GROUPS, order.fix)


def lengths(facts: Facts) -> Iterator[ast.expr]:
    """The data of every `fit`, and what loops that train run over."""
    for call in fits.fits(facts):
        yield from fits.examples(facts, call)
    for node in facts.index.nodes(ast.For):
        if trains(facts, node):
            yield node.iter


def is_repeated(facts: Facts, expr: ast.expr) -> bool:
    """Whether the data begins anew for ever, so that something else counts the steps."""
    calls = (n for n in ingredients(facts, expr) if isinstance(n, ast.Call))
    return any(
        isinstance(c.func, ast.Attribute) and c.func.attr == "repeat" and _is_endless(facts, c)
        for c in calls
    )


def _is_endless(facts: Facts, call: ast.Call) -> bool:
    """`ds.repeat()`; not `np.repeat(x, 2)`."""
    return facts.name(call.func) is None and has_no_count(call)
