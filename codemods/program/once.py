"""What is found in a graph, once for all who ask; it is looked for again where that has grown."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Callable, Protocol, TypeVar

V = TypeVar("V")


class Growing(Protocol):
    """A graph that tells how far it has grown."""

    @property
    def growth(self) -> int:
        """A number that changes where the graph does."""


class Once:
    """Everything that was found; `asked`: what is handed to those who look for it."""

    def __init__(self, asked: object, graph: Growing) -> None:
        self._asked, self._graph = asked, graph
        self._found: dict[Hashable, tuple[int, Any]] = {}

    def __call__(self, make: Callable[..., V], *given: Hashable) -> V:
        """What `make` finds for what is given."""
        growth, found = self._found.get((make, given), (-1, None))
        if growth != self._graph.growth:
            found = make(self._asked, *given)
            self._found[make, given] = self._graph.growth, found
        return found  # type: ignore[no-any-return]
