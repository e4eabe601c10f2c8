"""How the links of a chain go through a tree: every node is matched against their patterns.

The patterns are fissix's own, and inner nodes come first, as when Bowler runs a query on a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from fissix.patcomp import PatternCompiler
from fissix.pytree import NodePattern, WildcardPattern

from ..program.records import NamedTuple
from ..syntax import LN, Node

INNER = 256  # from here on types are those of nodes with children


class Shapes(NamedTuple):
    """The alternatives of a pattern, by the types of the nodes that they can match.

    Most nodes are of no such type; fissix would try every alternative on every node all the same.
    """

    by_type: dict[int, list[Any]]
    sure: frozenset[int]  # types that are all that the first alternative asks for
    of_other_nodes: list[Any]
    of_other_leaves: list[Any]

    def matches(self, nodes: Iterable[LN]) -> Iterator[tuple[LN, dict[str, Any]]]:
        """Those nodes that the pattern matches, each with what it catches."""
        for node in self._candidates(nodes):
            if node.type in self.sure:
                yield node, {"node": node}
                continue
            others = self.of_other_nodes if node.type >= INNER else self.of_other_leaves
            for pattern in self.by_type.get(node.type, others):
                caught: dict[str, Any] = {"node": node}
                if pattern.match(node, caught):
                    yield node, caught
                    break

    def _candidates(self, nodes: Iterable[LN]) -> Iterable[LN]:
        """The nodes without those that are of no type for it: most of them, found in one go."""
        by_type = self.by_type
        if self.of_other_leaves:
            return nodes
        if self.of_other_nodes:
            return [node for node in nodes if node.type >= INNER or node.type in by_type]
        return [node for node in nodes if node.type in by_type]


@cache
def shapes(pattern: str) -> Shapes:
    """A pattern of Bowler's, compiled once in a process (about 1 ms)."""
    whole, _ = PatternCompiler().compile_pattern(pattern, with_tree=True)
    _simplify(whole)
    alternatives = _alternatives(whole)
    general = [one for one in alternatives if one.type is None]
    by_type: dict[int, list[Any]] = {}
    for one in alternatives:
        if one not in general:
            by_type.setdefault(one.type, []).append(one)
    everything = {number: [*found, *general] for number, found in by_type.items()}
    sure = frozenset(number for number, found in by_type.items() if _is_bare(found[0]))
    # `any< 'x' >` has children.
    leaves = [one for one in general if not _has_children(one)]
    return Shapes(everything, sure, general, leaves)


def _simplify(pattern: Any) -> None:
    """Let `any*` count nodes, as fissix can: its compiler makes a choice of one alternative of it.

    Such a choice is tried in a call within a call for every node.
    """
    if isinstance(pattern, WildcardPattern) and pattern.content is not None:
        for alternative in pattern.content:
            for part in alternative:
                _simplify(part)
        is_any = [[_is_anything(part) for part in one] for one in pattern.content] == [[True]]
        if is_any and (pattern.min, pattern.max) != (1, 1):
            pattern.content = None
    elif isinstance(pattern, NodePattern):
        for part in pattern.content or ():
            _simplify(part)


def _is_anything(pattern: Any) -> bool:
    return isinstance(pattern, NodePattern) and pattern.type is None and _is_bare(pattern)


def _is_bare(pattern: Any) -> bool:
    """Whether it asks for nothing but a type, and gives nothing a name."""
    return pattern.content is None and pattern.name is None


def _alternatives(pattern: Any) -> list[Any]:
    """`a`, `b` of `a | b`; a pattern that can't be taken apart is the only one of its own."""
    is_choice = isinstance(pattern, WildcardPattern) and pattern.min == pattern.max == 1
    if is_choice and pattern.name is None and all(len(one) == 1 for one in pattern.content):
        return [one for (first,) in pattern.content for one in _alternatives(first)]
    return [pattern]


def _has_children(pattern: Any) -> bool:
    return isinstance(pattern, NodePattern) and pattern.content is not None


class Walks:
    """The nodes of one tree that patterns match; after a change the tree is walked again."""

    def __init__(self, tree: Node) -> None:
        self._tree = tree
        self._nodes: list[LN] = []
        self._matches: dict[str, list[tuple[LN, dict[str, Any]]]] = {}

    def changed(self) -> None:
        """Look at every node again from now on."""
        self._nodes, self._matches = [], {}

    def run(self, fixer: Any, filename: str) -> None:
        """One link of a chain, `select`, `filter` and `modify`, as Bowler has compiled it."""
        uncompiled = {"compile_pattern": lambda self: None}
        link = type("Link", (fixer,), uncompiled)({}, [])
        link.set_filename(filename)
        for node, caught in self._matching(fixer.PATTERN):
            new = link.transform(node, dict(caught))
            if new is not None and new is not node and node.parent is not None:
                node.replace(new)

    def _matching(self, pattern: str) -> list[tuple[LN, dict[str, Any]]]:
        """The nodes that a pattern matches, inner ones first, each with what it catches."""
        if pattern not in self._matches:
            self._nodes = self._nodes or _inner_first(self._tree)
            self._matches[pattern] = list(shapes(pattern).matches(self._nodes))
        return self._matches[pattern]


def _inner_first(tree: Node) -> list[LN]:
    nodes: list[LN] = []
    waiting: list[LN] = [tree]
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        waiting.extend(node.children)
    return nodes[::-1]
