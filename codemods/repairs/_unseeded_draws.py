"""Draws that nobody seeds, where they decide what is trained on how much."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.data.pipeline_shares import shares_of
from ..facts.data.uses import Use
from ..judge.disagreements import disagreements
from ..judge.own_sources import CHANCE
from ..library.agreement import GENERATOR, gives
from ..library.array_names import SEEDS
from ..restrictions.k04_uneven_steps import why_uneven


def unseeded(facts: Facts) -> Iterator[ast.AST]:
    """The draws that decide on settings, on how many examples there are, and on weights."""
    found = (each.own for each in disagreements(facts).found if each.own.kind == CHANCE)
    yield from (own.source for own in found if own.source is not None)


def modules(facts: Facts) -> list[str]:
    """The canonical names of the modules that draw, each once."""
    found: dict[str, None] = {}
    for draw in unseeded(facts):
        name = facts.name(draw.func) if isinstance(draw, ast.Call) else None
        module = (name or "").rpartition(".")[0]
        if module in SEEDS and gives(name or "") != GENERATOR:  # whose seed is its own
            found[module] = None
    return list(found)


def uneven(facts: Facts) -> Iterator[ast.Call]:
    """The calls of a pipeline that choose other elements on every worker, for want of a seed."""
    data = shares_of(facts)
    for end in data.ends:
        for way in end.ways if end.use is Use.TRAINING else ():
            reason = why_uneven(way, data.orders)
            if reason is not None and isinstance(reason.place, ast.Call):
                yield reason.place
