"""How many elements a container has: what decides that, apart from the elements themselves.

The node `size` of a container has an edge from all that decides whether something is put in or
taken out, and from the sizes of what it was filled from. What is no container has as many rounds
as its own row in a domain says.
"""

from __future__ import annotations

import ast

from .core import Core
from .edges import Edge
from .origins import Call, Kind, Label, Origin
from .things import Box, Thing

ROUNDS, LENGTH = "rounds", "length"  # how often a loop runs, what `len` gives
TURNS = "turns"  # how far `range(first, end, step)` goes, which deals numbers out in turns
RESIZING = frozenset(
    [
        "add",
        "append",
        "appendleft",
        "clear",
        "difference_update",
        "discard",
        "extend",
        "extendleft",
        "insert",
        "intersection_update",
        "pop",
        "popitem",
        "popleft",
        "remove",
        "setdefault",
        "symmetric_difference_update",
        "update",
    ]
)
FILLING = frozenset(
    [
        "difference_update",
        "extend",
        "extendleft",
        "intersection_update",
        "symmetric_difference_update",
        "update",
    ]
)


def sized(core: Core, made: Box, source: int) -> None:
    """Let a container be as long as what is at `source`."""
    core.watch(source, _sized, core, made)


def _sized(thing: Thing, core: Core, made: Box) -> None:
    if isinstance(thing, Box):
        core.note(thing.size, made.size, Edge.CONDITION)


def resize(core: Core, owner: Box, call: Call, name: str) -> None:
    """A method that puts elements in or takes them out."""
    core.decide(call.conditions, owner.size)
    for argument in call.values() if name in FILLING else ():
        sized(core, owner, argument)


def rounds(core: Core, iterable: ast.expr) -> int:
    """The node of how often a loop over an expression runs."""
    n = core.ids.get((ROUNDS, iterable))
    if n is None:
        n = core.place((ROUNDS, iterable))
        core.watch(core.node(iterable), _rounds, core, iterable, n)
    return n


def _rounds(thing: Thing, core: Core, iterable: ast.expr, n: int) -> None:
    if isinstance(thing, Box):
        core.note(thing.size, n, Edge.CONDITION)
        core.create(n, Origin(Kind.COMPUTED, ROUNDS, iterable, []))  # nothing need decide a size
        return
    operands: list[tuple[Label, int]] = [("of", core.node(iterable))]
    if isinstance(iterable, ast.Call):
        operands.append(("func", core.node(iterable.func)))
        operands += [("argument", core.node(argument)) for argument in iterable.args]
    core.create(n, Origin(Kind.COMPUTED, ROUNDS, iterable, operands))


def length(thing: Thing, core: Core, call: Call) -> bool:
    """`len(container)`; False: it is none."""
    if not isinstance(thing, Box):
        return False
    core.create(call.result, Origin(Kind.COMPUTED, LENGTH, call.node, [("of", thing.size)]))
    return True
