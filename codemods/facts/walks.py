"""Going on from place to place, where one may lead back to another.

The places are calls, functions, conditions, containers. Values are followed by `program/` alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Callable, TypeVar

Place = TypeVar("Place", bound=Hashable)


def reached(start: Iterable[Place], step: Callable[[Place], Iterable[Place]]) -> Iterator[Place]:
    """The places of the start and where steps lead from there, each once; lazily."""
    seen: set[Place] = set()
    queue = list(start)
    while queue:
        place = queue.pop()
        if place not in seen:
            seen.add(place)
            yield place
            queue.extend(step(place))


def inner_first(start: Place, step: Callable[[Place], Iterable[Place]]) -> Iterator[Place]:
    """The start and where steps lead from there, each once, behind those that its steps lead to.

    In a circle the place that is reached first comes last. No recursion, however long the way is.
    """
    entered = {start}
    way = [(start, iter(step(start)))]
    while way:
        place, further = way[-1]
        deeper = next((each for each in further if each not in entered), None)
        if deeper is None:
            way.pop()
            yield place
        else:
            entered.add(deeper)
            way.append((deeper, iter(step(deeper))))
