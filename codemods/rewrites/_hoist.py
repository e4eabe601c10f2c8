"""Moves an expression in front of the statement it stands in, under a name."""

from __future__ import annotations

import ast

from ..syntax import LN, Leaf, syms, token
from ._statements import insert_before

HOLE = "_"
_BY_ITSELF = {"": HOLE, "*": f"[*{HOLE}]", "**": f"{{**{HOLE}}}"}


def hoist(node: LN, name: str, unpacked: str = "", only_if: str = "") -> LN:
    """`f(node)` becomes `name = node` and `f(name)`, which is returned; the node stays the same.

    What was unpacked (`*node`, `**node`) is unpacked here, `only_if` a test holds else it is None.
    """
    value = _BY_ITSELF[unpacked]
    if unpacked == "" and _needs_parentheses(node):
        value = f"({HOLE})"
    insert_before(
        node, f"{name} = {value} if {only_if} else None" if only_if else f"{name} = {value}"
    )
    hole = next(leaf for leaf in _line_before(node).leaves() if leaf.value == HOLE)
    prefix = node.prefix
    named = Leaf(token.NAME, name, prefix=prefix)
    node.replace(named)
    node.prefix = hole.prefix
    hole.replace(node)
    return named


def _line_before(node: LN) -> LN:
    while node.parent.type not in (syms.suite, syms.file_input):
        node = node.parent
    return node.prev_sibling


def _needs_parentheses(node: LN) -> bool:
    """Whether it can't stand alone after `=`: `:=`, or several lines without brackets."""
    try:
        ast.parse(f"_ = {str(node).strip()}")
    except SyntaxError:
        return True
    return False
