"""Files that each worker comes to in an order of its own: what it trains on has other lengths.

`np.random.shuffle(files)`, `for name in files:` and `model.fit(*read(name))`: while one worker
makes the steps of a long file, another is through with a short one, and waits.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.agreement import READS
from ...program.records import NamedTuple
from ..agreement.orders_by_chance import own_draw
from ..facts import Facts
from ..training import fits
from ..training.pattern import training_of
from ..value_parts import ingredients
from .own_orders import alike


class Turn(NamedTuple):
    """The draw, and the loop in its order."""

    draw: ast.AST
    loop: ast.For


def own_turns(facts: Facts) -> Iterator[Turn]:
    """The loops around training that go through files in an order of each worker's own."""
    drawn = list(_draws(facts))
    fitted = {call: fits.data(facts, call) for call in fits.fits(facts)} if drawn else {}
    for call, _ in training_of(facts).places if drawn else ():
        lengths = [value for value in [fitted.get(call)] if value is not None]
        for loop in (parent for parent in facts.parents(call) if isinstance(parent, ast.For)):
            draw = next((place for place in drawn if _is_order_of(facts, place, loop)), None)
            if draw is not None and any(_is_of_a_file(facts, each, loop) for each in lengths):
                yield Turn(draw, loop)
            lengths.append(loop.iter)


def _draws(facts: Facts) -> Iterator[ast.Call]:
    """The draws that no rule seeds; names come in the same order where workers share a disk."""
    for call in facts.index.calls:
        drawn = own_draw(facts, call)
        if drawn is not None and not drawn.is_listing and call not in alike(facts):
            yield call


def _is_order_of(facts: Facts, draw: ast.AST, loop: ast.For) -> bool:
    """Whether a loop goes through what a call gives, or what it has shuffled in place."""
    behind = set(ingredients(facts, loop.iter))
    if draw in behind:
        return True
    is_alone = isinstance(facts.parent(draw), ast.Expr) and isinstance(draw, ast.Call)
    shuffled = draw.args[:1] if is_alone else []  # type: ignore[attr-defined]
    return any(not behind.isdisjoint(facts.origins(value).nodes) for value in shuffled)


def _is_of_a_file(facts: Facts, data: ast.expr, loop: ast.For) -> bool:
    """Whether it is read from the file that a round of the loop is about."""
    for node in ingredients(facts, data):
        if isinstance(node, ast.Call) and facts.name(node.func) in READS:
            given = (part for value in node.args for part in ingredients(facts, value))
            if any(_is_bound_by(facts, part, loop) for part in given):
                return True
    return False


def _is_bound_by(facts: Facts, node: ast.AST, loop: ast.For) -> bool:
    return any(binding.node is loop for binding in facts.names.bindings(node))
