"""The ways back from a node, along edges of some labels."""

from __future__ import annotations

from collections.abc import Callable

from .edges import Edge
from .graph import Graph


def follow(
    graph: Graph, start: int, mask: int, until: Callable[[object], bool] | None
) -> list[int]:
    """The nodes at which the ways from `start` end, as `Program.follow` has it."""
    found, seen, waiting = [], set(), [start]
    while waiting:
        n = waiting.pop()
        if n in seen:
            continue
        seen.add(n)
        graph.count()
        is_end = until is not None and until(graph.keys[n])
        sources = [] if is_end else _sources(graph, n, mask)
        if is_end or not sources or graph.origins[n]:
            found.append(n)
        waiting += sources
    return found


def _sources(graph: Graph, n: int, mask: int) -> list[int]:
    sources = [source for label, source in graph.sources[n] if label & mask]
    if mask & Edge.COMPUTED._value_:
        sources += [m for origin in graph.origins[n] or () for _, m in origin.operands]
    return sources
