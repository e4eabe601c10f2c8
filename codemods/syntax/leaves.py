"""The leaves of a concrete tree, by where they stand in the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fissix.pgen2 import token

from .tree import LN, Leaf, Node

LAYOUT = frozenset({token.NEWLINE, token.INDENT, token.DEDENT, token.ENDMARKER})


class Leaves:
    """The leaves that are code, by the offset where they begin and by the one where they end."""

    def __init__(self, tree: Node) -> None:
        self.beginning: dict[int, Leaf] = {}
        self.ending: dict[int, Leaf] = {}
        offset = 0
        for leaf in _leaves(tree):
            begin = offset + len(leaf._prefix)
            offset = begin + len(leaf.value)
            if leaf.type not in LAYOUT:
                self.beginning[begin] = self.ending[offset] = leaf

    def between(self, begin: int, end: int) -> list[Leaf]:
        """The leaves that begin from one offset to another."""
        return [leaf for offset, leaf in self.beginning.items() if begin <= offset < end]

    def exchange(self, ends: Iterable[tuple[Leaf, Leaf, Leaf]]) -> None:
        """Take what a leaf has become by its first and last part."""
        for leaf, first, last in ends:
            for known, new in ((self.beginning, first), (self.ending, last)):
                known.update({offset: new for offset, old in known.items() if old is leaf})


def _leaves(tree: Node) -> Iterator[Leaf]:
    stack: list[LN] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, Leaf):
            yield node
        else:
            stack.extend(reversed(node.children))
