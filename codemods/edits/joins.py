"""Lines that an edit has made short enough are joined where only their length had broken them."""

from __future__ import annotations

from ..syntax import LN, Leaf, syms, token
from .layout import BLOCKS, NEWLINE_TEXT, first_leaf
from .limit import limit
from .lines import line_at

_OPEN = frozenset((token.LPAR, token.LSQB, token.LBRACE))
_CLOSE = frozenset((token.RPAR, token.RSQB, token.RBRACE))


def has_lines(node: LN) -> bool:
    """Whether a node stands on several lines."""
    return NEWLINE_TEXT.search(str(node)[len(node.prefix) :]) is not None


def join_around(node: LN, had_lines: bool) -> None:
    """Join the lines of the brackets around a node that took the place of a longer one.

    Brackets that hold an item a line, a last comma or a comment keep the layout of their author;
    `had_lines`: whether what stood there had several, for which a line of its own was begun.
    """
    around, item = node, node.parent if node.parent.type == syms.argument else node
    begun = [first_leaf(item)] if had_lines else []
    while around.parent is not None and around.parent.type not in BLOCKS:
        before, around = around, around.parent
        _join_inside(around, begun)
        if around.type == syms.power and around.children[0] is before:
            _join(around, [first_leaf(around.children[1])])
            for behind in around.children[1:]:
                _join_inside(behind, [])


def join_single(display: LN) -> None:
    """Join the lines of a list that has one element by now, if that has no more than one."""
    inside = display.children[1]
    if inside.type != syms.listmaker or len(inside.children) > 2 or has_lines(inside.children[0]):
        return
    comma = inside.children[1] if len(inside.children) == 2 else None
    if comma is not None and "#" not in display.children[-1].prefix:
        comma.remove()
    _join_inside(display, [])
    if comma is not None and comma.parent is None and has_lines(display):
        inside.append_child(comma)


def _join_inside(brackets: LN, begun: list[Leaf]) -> None:
    """Join what stands on one line between brackets, or on two where the second is `begun`."""
    if len(brackets.children) == 3 and brackets.children[0].type in _OPEN:
        _join(brackets, [first_leaf(brackets.children[1]), *begun, brackets.children[-1]])


def _join(whole: LN, starts: list[Leaf]) -> None:
    """Put lines that begin with these leaves behind the line before, if nothing else is broken."""
    leaves = list(whole.leaves())
    broken = [(one, leaf) for one, leaf in zip(leaves, leaves[1:]) if _begins_line(leaf)]
    if _ends_with_comma(leaves) or not all(_is_one_of(starts, leaf) for _, leaf in broken):
        return
    prefixes = [leaf.prefix for _, leaf in broken]
    for before, leaf in broken:
        is_close = before.type in _OPEN or leaf.type in _CLOSE or leaf.type == token.DOT
        leaf.prefix = "" if is_close else " "
    if len(line_at(leaves[0])) > limit(whole):
        for (_, leaf), prefix in zip(broken, prefixes):
            leaf.prefix = prefix


def _begins_line(leaf: Leaf) -> bool:
    return NEWLINE_TEXT.search(leaf.prefix + leaf.value) is not None


def _is_one_of(starts: list[Leaf], leaf: Leaf) -> bool:
    """Whether nothing but white space stands before one of these leaves."""
    is_white = not leaf.prefix.replace("\\", "").strip() and not NEWLINE_TEXT.search(leaf.value)
    return is_white and any(leaf is start for start in starts)


def _ends_with_comma(leaves: list[Leaf]) -> bool:
    return leaves[-1].type in _CLOSE and leaves[-2].type == token.COMMA
