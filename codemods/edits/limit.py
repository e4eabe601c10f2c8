"""How long a line of a file may become: what its formatter says, else what its author writes."""

from __future__ import annotations

from ..syntax import LN, Node, syms, token
from .layout import indentation, root, statements

SHORTEST, LONGEST = 79, 100  # of lines that tell of a style: PEP 8, and what is read at a glance
BLACKS = 88  # what black takes where nothing is set
_LETTERS = "bBfFrRuU"  # that a string may begin with


def own_limit(longest: int, shortest: int = SHORTEST) -> int:
    """The limit of a file with such lines: short ones, or a few very long ones, are no style."""
    return min(max(longest, shortest), LONGEST)


def is_blacks(tree: Node) -> bool:
    """Whether black may have laid out a file: its strings are in double quotes, its steps four."""
    strings = [leaf.value for leaf in tree.leaves() if leaf.type == token.STRING]
    suites = (node for node in tree.pre_order() if node.type == syms.suite)
    single = (text for text in strings if text.lstrip(_LETTERS)[0] == "'" and '"' not in text)
    return not any(single) and all(_is_four(suite) for suite in suites)


def _is_four(suite: LN) -> bool:
    """Whether a block's statements begin at a multiple of four spaces."""
    white = indentation(statements(suite)[0])
    return "\t" not in white and len(white) % 4 == 0


def set_limit(tree: Node, width: int, text: str) -> None:
    """Give a tree the length that its formatter is set to; 0: that of its own lines."""
    tree.longest_line = max(map(len, text.splitlines()), default=0)
    tree.line_limit = width or own_limit(tree.longest_line, BLACKS if is_blacks(tree) else SHORTEST)


def limit(node: LN) -> int:
    """The length that lines of the node's tree may have; PEP 8's where nothing is said."""
    return int(getattr(root(node), "line_limit", SHORTEST))


def longest(node: LN) -> int:
    """The length that no line of the node's tree may pass, not even where one was too long."""
    return max(limit(node), int(getattr(root(node), "longest_line", 0)))
