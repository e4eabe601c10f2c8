"""Orders and splits that each worker would draw for itself."""

from __future__ import annotations

import ast

from ...library.draws import Draw, draw, draw_of_generator, draw_of_method
from ..facts import Facts
from ..own_values import CHANCE, own, unseeded_generator


def own_draw(facts: Facts, call: ast.Call) -> Draw | None:
    """How a call draws an order that is another one on each worker, None where it doesn't."""
    row = _row(facts, call)
    is_own = row is not None and (row.is_listing or own(facts, call).kind == CHANCE)
    return row if is_own else None


def _row(facts: Facts, call: ast.Call) -> Draw | None:
    name = facts.name(call.func)
    if name is not None:
        return draw(name)
    if not isinstance(call.func, ast.Attribute):
        return None
    kind = unseeded_generator(facts, call)
    if kind is not None:
        return draw_of_generator(kind, call.func.attr)
    return draw_of_method(call.func.attr, frozenset(k.arg or "" for k in call.keywords))
