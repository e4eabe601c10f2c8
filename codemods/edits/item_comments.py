"""The comment behind an item that has its lines to itself goes along with what it speaks of."""

from __future__ import annotations

import re

from ..syntax import LN, Leaf, Node, syms, token
from .layout import NEWLINE_TEXT, first_leaf

_COMMENT = re.compile(r"[ \t]*#[^\r\n]*(?=[\r\n])")
_LISTS = frozenset((syms.arglist, syms.trailer, syms.listmaker, syms.atom))
_ADDRESSED = "distify:"  # it speaks of the whole statement


def take_comment(node: LN) -> str:
    """Take the comment away that stands behind an item, or behind the value of a keyword."""
    item = node.parent if node.parent is not None and node.parent.type == syms.argument else node
    behind = _behind(item)
    is_alone = NEWLINE_TEXT.search(first_leaf(item).prefix) is not None
    if behind is None or not is_alone or item.parent.type not in _LISTS:
        return ""
    found = _COMMENT.match(behind.prefix)
    if found is None or _ADDRESSED in found[0]:
        return ""
    behind.prefix = behind.prefix[found.end() :]
    return found[0].strip()


def put_comment(line: Node, comment: str) -> None:
    """Put a comment at the end of a statement, in front of one that it has."""
    end = line.children[-1]
    if comment and end.type == token.NEWLINE:
        end.prefix = f"  {comment}{end.prefix}"


def _behind(item: LN) -> Leaf | None:
    """The leaf behind an item and its comma; a comment between the two stays."""
    following = _next(item)
    if following is not None and following.type == token.COMMA and not following.prefix:
        return _next(following)
    return following


def _next(node: LN) -> Leaf | None:
    """The leaf behind a node."""
    while node.next_sibling is None:
        if node.parent is None:
            return None
        node = node.parent
    return first_leaf(node.next_sibling)
