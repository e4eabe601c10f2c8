"""Orders and splits that each worker would draw for itself."""

from __future__ import annotations

import ast

from ...library.draws import Draw, draw, draw_of_generator, draw_of_method
from ..facts import Facts
from .chance import seeded, unseeded_generator


def own_draw(facts: Facts, call: ast.Call) -> Draw | None:
    """How a call draws an order that is another one on each worker, None where it doesn't."""
    row = _row(facts, call)
    if row is None or row.numbers in seeded(facts) or not _is_on(facts, call, row):
        return None
    return None if any(_is_given(facts, call, *seed) for seed in row.seeds) else row


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


def _is_on(facts: Facts, call: ast.Call, row: Draw) -> bool:
    """Whether it draws at all: `shuffle=False` says that it doesn't."""
    name, position = row.switch
    given = facts.argument(call, name, position) if name else None
    if given is None:
        return row.by_default
    return not (isinstance(given, ast.Constant) and not given.value)


def _is_given(facts: Facts, call: ast.Call, name: str, position: int | None) -> bool:
    value = facts.argument(call, name, position)
    return not (value is None or (isinstance(value, ast.Constant) and value.value is None))
