"""Python's order of a class and its bases (C3)."""

from __future__ import annotations

from typing import Union

from .core import Core
from .things import Class, Library

Base = Union[Class, Library]


def linearized(core: Core, cls: Class) -> list[Base] | None:
    """The class, then its bases as Python looks through them; None where a base isn't known."""
    orders: dict[Class, list[Base]] = {}
    waiting = [cls]
    while waiting:
        each = waiting[-1]
        bases = _bases(core, each)
        if bases is None:
            return None
        missing = [b for b in bases if isinstance(b, Class) and b not in orders]
        if any(b in waiting for b in missing):
            return None  # a class above itself
        if missing:
            waiting += missing[:1]
            continue
        waiting.pop()
        lists = [orders[b] if isinstance(b, Class) else [b] for b in bases]
        merged = _merged([*map(list, lists), list(bases)])
        if merged is None:
            return None
        orders[each] = [each, *merged]
        core.steps += len(merged)
    return orders[cls]


def _bases(core: Core, cls: Class) -> list[Base] | None:
    found: list[Base] = []
    for n in cls.bases:
        things = list(core.things[n])
        if len(things) != 1 or not isinstance(things[0], (Class, Library)):
            return None
        found.append(things[0])
    return found


def _merged(lists: list[list[Base]]) -> list[Base] | None:
    merged: list[Base] = []
    lists = [each for each in lists if each]
    while lists:
        heads = (each[0] for each in lists)
        tails = {base for each in lists for base in each[1:]}
        first = next((head for head in heads if head not in tails), None)
        if first is None:
            return None
        merged.append(first)
        lists = [rest for each in lists if (rest := [b for b in each if b is not first])]
    return merged
