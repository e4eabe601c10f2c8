"""Python's order of a class and its bases (C3)."""

from __future__ import annotations

from collections import Counter
from typing import Optional, Union

from .core import Core
from .things import Class, Library

Base = Union[Class, Library]


Orders = dict[Class, Optional[list[Base]]]


def linearized(core: Core, cls: Class, orders: Orders) -> list[Base] | None:
    """The class, then its bases as Python looks through them; None where a base isn't known.

    `orders` has those of classes that were asked for before, and gets those that are found.
    """
    waiting = dict.fromkeys([cls] if cls not in orders else [])
    while waiting:
        each = next(reversed(waiting))
        bases = _bases(core, each)
        missing = [b for b in bases or () if isinstance(b, Class) and b not in orders]
        if bases is None or any(b in waiting for b in missing):  # or a class above itself
            orders.update(waiting)
        elif missing:
            waiting[missing[0]] = None
            continue
        else:
            orders[each] = _with_bases(core, each, bases, orders)
        del waiting[each]
    return orders[cls]


def _with_bases(core: Core, cls: Class, bases: list[Base], orders: Orders) -> list[Base] | None:
    """The order of a class by those of its bases."""
    found: list[list[Base] | None] = [orders[b] if isinstance(b, Class) else [b] for b in bases]
    known = [each for each in found if each is not None]
    merged = _merged([*known, bases]) if len(known) == len(bases) else None
    core.steps += len(merged or ())
    return None if merged is None else [cls, *merged]


def _bases(core: Core, cls: Class) -> list[Base] | None:
    found: list[Base] = []
    for n in cls.bases:
        things = list(core.things[n])
        if len(things) != 1 or not isinstance(things[0], (Class, Library)):
            return None
        found.append(things[0])
    return found


def _merged(lists: list[list[Base]]) -> list[Base] | None:
    """The first of the lists that stand behind no other in any of them, one after another."""
    behind = Counter(base for each in lists for base in each[1:])
    places, merged = [0] * len(lists), list[Base]()
    while True:
        heads = [each[at] for each, at in zip(lists, places) if at < len(each)]
        first = next((head for head in heads if not behind[head]), None)
        if first is None:
            return None if heads else merged
        merged.append(first)
        for number, each in enumerate(lists):
            at = places[number]
            if at < len(each) and each[at] == first:
                places[number] += 1
                for head in each[at + 1 : at + 2]:
                    behind[head] -= 1
