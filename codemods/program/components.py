"""Strongly connected components: nodes that need each other, each behind what it needs."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Callable

from .records import NamedTuple


class Component(NamedTuple):
    """Nodes that need each other; `is_circle`: there are several, or one that needs itself."""

    nodes: list[int]
    is_circle: bool


def components(
    root: int,
    needs: Callable[[int], list[int]],
    known: Container[int],
    count: Callable[[], None],
) -> Iterator[Component]:
    """The components behind a node, by Tarjan's algorithm; what becomes known is passed over.

    `needs` is asked once of each node, and `count` is called then.
    """
    low: dict[int, int] = {}  # of the nodes that were entered, by number: the least on a way back
    index: dict[int, int] = {}
    stack: list[int] = []
    work: list[tuple[int, Iterator[int]]] = []
    circles: set[int] = set()  # nodes that need themselves
    further: int | None = root
    while further is not None or work:
        if further is not None:
            count()
            index[further] = low[further] = len(index)
            stack.append(further)
            needed = needs(further)
            circles.update((further,) if further in needed else ())
            work.append((further, iter(needed)))
        n, needs_left = work[-1]
        further = None
        for m in needs_left:
            if m in known:
                continue
            if m not in index:
                further = m
                break
            if index[m] < low[n]:  # it is on the stack: both are of one component
                low[n] = index[m]
        if further is None:
            work.pop()
            if work:
                above = work[-1][0]
                low[above] = min(low[above], low[n])
            if low[n] == index[n]:
                nodes = _popped(stack, n)
                yield Component(nodes, len(nodes) > 1 or n in circles)


def _popped(stack: list[int], n: int) -> list[int]:
    """What lies on the stack from `n` on."""
    component = []
    while True:
        component.append(stack.pop())
        if component[-1] == n:
            return component
