"""Going on from place to place, where one may lead back to another."""

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
