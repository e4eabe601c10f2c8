"""A collective that the worker's number keeps some workers from: the others wait for ever.

https://horovod.readthedocs.io/en/stable/troubleshooting.html; horovod/horovod#367, #403, #600.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.causes import spelled
from ..facts.workers.collective_calls import Way, split_ways
from ..model import Finding
from . import hazard
from ._finding import finding

FIX = "let every worker call it, and put only what follows it under the condition"
WAIT = "those that call it wait for ever"
LEAVING = {ast.Return: "`return`", ast.Break: "`break`", ast.Continue: "`continue`"}


@hazard(code="H05", name="called-by-some")
def called_by_some(facts: Facts) -> Iterator[Finding]:
    """Both places: what only some workers come to, and what decides that they do."""
    for way in split_ways(facts):
        yield finding(facts, way.place, "H05", message(facts, way), FIX)


def message(facts: Facts, way: Way) -> str:
    """`all workers must call `hvd.allreduce`, and `hvd.rank() == 0` in line 4 lets only some`."""
    where = f"`{spelled(way.test)}` in line {facts.place(way.test)[0]}"
    if facts.parent(way.test) in (way.place, *way.place.keywords):
        return f"{called(facts, way)} as often, and {where} lets some go on for longer: {WAIT}"
    if isinstance(way.decision, ast.stmt):
        leaves = LEAVING.get(type(way.decision), f"`{spelled(way.decision)}`")
        line = facts.place(way.decision)[0]
        where += f" lets some workers leave by the {leaves} in line {line}"
    else:
        where += " lets only some of them come here"
    return f"{called(facts, way)}, and {where}: {WAIT}"


def called(facts: Facts, way: Way) -> str:
    """What all workers must call, by way of a function if it isn't called here."""
    call = way.collective.call
    what = f"all workers must call `{spelled(call.func)}`"
    if way.place is call:
        return what
    return f"{what} in line {facts.place(call)[0]}, which `{spelled(way.place.func)}` leads to"
