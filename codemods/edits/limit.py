"""How long a line of a file may become: what its formatter says, else what its author writes."""

from __future__ import annotations

from ..syntax import LN, Node
from .layout import root

SHORTEST, LONGEST = 79, 100  # of lines that tell of a style: PEP 8, and what is read at a glance


def own_limit(longest: int) -> int:
    """The limit of a file with such lines: short ones, or a few very long ones, are no style."""
    return min(max(longest, SHORTEST), LONGEST)


def set_limit(tree: Node, width: int, text: str) -> None:
    """Give a tree the length that its formatter is set to; 0: that of its own lines."""
    tree.longest_line = max(map(len, text.splitlines()), default=0)
    tree.line_limit = width or own_limit(tree.longest_line)


def limit(node: LN) -> int:
    """The length that lines of the node's tree may have; PEP 8's where nothing is said."""
    return int(getattr(root(node), "line_limit", SHORTEST))


def longest(node: LN) -> int:
    """The length that no line of the node's tree may pass, not even where one was too long."""
    return max(limit(node), int(getattr(root(node), "longest_line", 0)))
