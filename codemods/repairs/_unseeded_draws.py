"""Draws that nobody seeds, where they decide what is trained on how much."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.agreement.chance import draw_behind, drawn
from ..facts.data.drawn_counts import chosen
from ..facts.data.pipeline_shares import shares_of
from ..facts.data.uses import Use
from ..restrictions.k04_chosen_by_chance import is_repeated, lengths
from ..restrictions.k04_uneven_steps import why_uneven
from ..restrictions.t07_drawn_settings import settings
from ..restrictions.t07_own_models import decisions
from ..restrictions.t07_own_noise import noise

MODULES = {
    "random": "random.seed",
    "numpy.random": "numpy.random.seed",
    "tensorflow.random": "tensorflow.random.set_seed",
}


def unseeded(facts: Facts) -> Iterator[ast.AST]:
    """The draws that decide on settings, on how many examples there are, and on weights."""
    for value in settings(facts):
        yield from filter(None, [drawn(facts, value)])
    for decision in decisions(facts):
        yield from filter(None, [draw_behind(facts, decision)])
    yield from (draw for _, draw in noise(facts))
    for expr in lengths(facts):
        if not is_repeated(facts, expr):
            yield from (draw for _, draw in chosen(facts, expr))


def modules(facts: Facts) -> list[str]:
    """The canonical names of the modules that draw, each once."""
    found: dict[str, None] = {}
    for draw in unseeded(facts):
        name = facts.name(draw.func) if isinstance(draw, ast.Call) else None
        module = (name or "").rpartition(".")[0]
        if module in MODULES:
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
