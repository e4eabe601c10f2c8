"""Datasets that `zip` joins behind their `shuffle` and `batch`: each of them is shared out itself.

All of them get shorter alike, and elements that went together do so in the shares, too.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ...library.datasets import BATCHING, COUNTING, JOINING, PLAIN
from ..facts import Facts
from .pipelines import Pipelines
from .stages import Way
from .zips import zips

_KEEPING = PLAIN | COUNTING | BATCHING | {"shuffle", "repeat", ""}  # as many on every worker


def joined_in(facts: Facts, ways: Sequence[Way]) -> ast.Call | None:
    """The one call of `zip` that these ways begin with, and behind which nothing is sifted."""
    calls = {way[0].expr for way in ways if way[0].method == "zip"}
    is_kept = all(stage.method in _KEEPING for way in ways for stage in way[1:])
    if len(calls) != 1 or not is_kept or any(way[0].method != "zip" for way in ways):
        return None
    call = next(iter(calls))
    return call if isinstance(call, ast.Call) and zips(facts, call) else None


def arms_of(pipelines: Pipelines, call: ast.Call) -> list[tuple[Way, ...]]:
    """The ways to each dataset that it joins; none where one of them can't be followed."""
    arms = pipelines.arms(call)
    is_plain = all(ways and all(way[0].method not in JOINING for way in ways) for ways in arms)
    return arms if is_plain else []
