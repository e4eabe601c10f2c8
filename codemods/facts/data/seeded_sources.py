"""Sources that shuffle names, each worker in its own way: one seed lets them be shared out."""

from __future__ import annotations

import ast

from ..facts import Facts, recorded
from .shares import shares_of


@recorded
def seeded_sources(facts: Facts) -> dict[ast.Call, int | None]:
    """The calls that get a seed, and the position at which it may stand."""
    data = shares_of(facts)
    ways = (*(way for end in data.ends for way in end.ways), *data.arms)
    cut = (way for way in ways if data.cuts_in(way))
    return dict(found for way in cut for found in data.orders.unseeded(way[0]))
