"""Python's order of a class and its bases (C3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Callable, Optional, TypeVar

C = TypeVar("C", bound=Hashable)
Orders = dict[C, Optional[list[C]]]


def linearized(
    cls: C,
    bases_of: Callable[[C], Sequence[C] | None],
    orders: Orders[C],
    count: Callable[[int], None] = lambda steps: None,
) -> list[C] | None:
    """The class, then its bases as Python looks through them; None where a base isn't known.

    `orders` has those of classes that were asked for before, and gets those that are found.
    """
    waiting = dict.fromkeys([cls] if cls not in orders else [])
    while waiting:
        each = next(reversed(waiting))
        bases = bases_of(each)
        missing = [base for base in bases or () if base not in orders]
        if bases is None or any(base in waiting for base in missing):  # or a class above itself
            orders.update(waiting)
        elif missing:
            waiting[missing[0]] = None
            continue
        else:
            orders[each] = _with_bases(each, bases, orders)
            count(len(orders[each] or ()))
        del waiting[each]
    return orders[cls]


def _with_bases(cls: C, bases: Sequence[C], orders: Orders[C]) -> list[C] | None:
    """The order of a class by those of its bases."""
    known = [each for each in map(orders.__getitem__, bases) if each is not None]
    merged = _merged([*known, bases]) if len(known) == len(bases) else None
    return None if merged is None else [cls, *merged]


def _merged(lists: Sequence[Sequence[C]]) -> list[C] | None:
    """The first of the lists that stand behind no other in any of them, one after another."""
    behind = Counter(base for each in lists for base in each[1:])
    places, merged = [0] * len(lists), list[C]()
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
