"""What statements and functions change in a container: `del`, `+=`, putting one into another."""

from __future__ import annotations

from .boxes import inherit, mix
from .core import Core
from .edges import Edge
from .keys import add_key
from .origins import Kind, Origin
from .sizes import sized
from .things import UNKNOWN, Box, Thing
from .versions import EACH


def delete(thing: Thing, core: Core, conditions: tuple[int, ...]) -> None:
    """`del s[0]`: the numbers of the others change."""
    if isinstance(thing, Box):
        mix(core, thing)
        core.decide(conditions, thing.size)


def grow(thing: Thing, core: Core, result: int, added: int, conditions: tuple[int, ...]) -> None:
    """`s += more`: the same list with the elements of another one."""
    if not isinstance(thing, Box):
        return
    core.add(result, thing)
    core.decide(conditions, thing.size)
    sized(core, thing, added)
    if thing.kind == "dict":
        core.watch(added, merge, core, thing, conditions)
    else:
        core.put(core.load(added, EACH), thing.rest, Edge.STORED, conditions)


def merge(thing: Thing, core: Core, owner: Box, conditions: tuple[int, ...] = ()) -> None:
    """`{**other}`, `d.update(other)`."""
    if isinstance(thing, Box) and thing.kind == "dict":
        inherit(core, owner, thing)
    elif isinstance(thing, Box):  # pairs of keys and values
        add_key(core, owner, core.load(thing.all, 0))
        core.put(core.load(thing.all, 1), owner.rest, Edge.STORED, conditions)
    else:
        core.create(owner.rest, Origin(Kind.UNKNOWN), UNKNOWN)
    core.decide(conditions, owner.rest)
