"""Moves an expression in front of the statement it stands in, under a name."""

from __future__ import annotations

import ast

from ..syntax import LN, Leaf, syms, token
from .expression_edits import HOLE
from .insertions import insert_before
from .item_comments import put_comment, take_comment
from .joins import has_lines, join_around
from .kinds import Hoist
from .lines import begin_of, realign
from .own_lines import beyond

_BY_ITSELF = {"": HOLE, "*": f"[*{HOLE}]", "**": f"{{**{HOLE}}}"}


def hoist(node: LN, edit: Hoist) -> LN:
    """`f(node)` becomes `name = node` and `f(name)`, which is returned; the node stays the same.

    What was unpacked (`*node`, `**node`) is unpacked here, `only_if` a test holds else it is None.
    Parentheses around it alone go along.
    """
    node = _with_parentheses(node)
    value = _BY_ITSELF[edit.unpacked]
    is_bare = not edit.unpacked and _needs_parentheses(node)
    if is_bare:
        value = f"({HOLE})"
    if edit.only_if:
        value = f"{value} if {edit.only_if} else None"
    (line,) = insert_before(beyond(node, -edit.distance), f"{edit.name} = {value}")
    hole = next(leaf for leaf in line.leaves() if leaf.value == HOLE)
    named, begun = Leaf(token.NAME, edit.name, prefix=_apart(node)), begin_of(node)
    had_lines = has_lines(node)
    put_comment(line, take_comment(node))
    node.replace(named)
    node.prefix = hole.prefix
    hole.replace(node)
    realign(node, begun, is_bare)
    join_around(named, had_lines)
    return named


def _with_parentheses(node: LN) -> LN:
    """`(node)`, as long as there is nothing else in them."""
    while node.parent is not None and node.parent.type == syms.atom:
        first, *inner, _ = node.parent.children
        if first.type != token.LPAR or inner != [node]:
            break
        node = node.parent
    return node


def _apart(node: LN) -> str:
    """What stands before it, or a space: `return(a)`."""
    before = node.prev_sibling
    is_word = isinstance(before, Leaf) and before.type == token.NAME
    return node.prefix or (" " if is_word else "")


def _needs_parentheses(node: LN) -> bool:
    """Whether it can't stand alone after `=`: `:=`, or several lines without brackets."""
    try:
        ast.parse(f"_ = {str(node)[len(node.prefix) :]}")
    except SyntaxError:
        return True
    return False
