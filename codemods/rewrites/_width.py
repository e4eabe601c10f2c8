"""Lines that an edit has made too long are broken the way black breaks them."""

from __future__ import annotations

from collections.abc import Iterator

from ..syntax import LN, Leaf, Node, syms, token
from ._layout import BLOCKS, newline, unit

LIMIT = 88
_OPEN = frozenset((token.LPAR, token.LSQB, token.LBRACE))
_LISTS = frozenset((syms.arglist, syms.listmaker, syms.testlist_gexp, syms.subscriptlist))


def fold(brackets: LN) -> None:
    """Give each item between brackets a line of its own if they stand on one line too long."""
    if "\n" in str(brackets).lstrip() or len(_line(brackets)) <= LIMIT or not _inside(brackets):
        return
    statement = _statement(brackets)
    outer = _line(brackets)
    end = newline(statement) + outer[: len(outer) - len(outer.lstrip())]
    step = unit(statement)
    body = _inside(brackets)
    brackets.children[-1].prefix = end
    if len(end.lstrip("\r\n") + step + "".join(map(str, body)).strip()) <= LIMIT:
        body[0].prefix = end + step
        return
    for item in _items(brackets):
        item.prefix = end + step
    for inner in _inside(brackets):
        for nested in reversed(list(_brackets(inner))):
            fold(nested)


def fold_around(node: LN) -> None:
    """Fold the brackets around a node, from the outermost ones to its own."""
    around = [node]
    while around[-1].parent is not None and around[-1].parent.type not in BLOCKS:
        around.append(around[-1].parent)
    for place in reversed(around):
        if place.type in (syms.trailer, syms.atom) and place.children[0].type in _OPEN:
            fold(place)


def _items(brackets: Node) -> Iterator[LN]:
    """What starts a line: the items of a list, the clauses of a comprehension, else everything."""
    inside = _inside(brackets)[0]
    comprehension = _comprehension(inside)
    if comprehension is not None:
        yield inside
        yield from _clauses(comprehension)
        return
    if inside.type in _LISTS:
        yield from [child for child in inside.children if child.type != token.COMMA]
        if inside.children[-1].type != token.COMMA:
            inside.append_child(Leaf(token.COMMA, ","))
        return
    yield inside
    if _takes_comma(brackets):
        brackets.insert_child(2, Leaf(token.COMMA, ","))


def _comprehension(inside: LN) -> LN:
    last = inside.children[-1] if inside.children else None
    return last if last is not None and last.type in (syms.comp_for,) else None


def _clauses(clause: LN) -> Iterator[LN]:
    """`for …`, `if …`, and the operands of a condition with `or` or `and`."""
    yield clause
    for child in clause.children:
        if child.type in (syms.comp_for, syms.comp_if, syms.comp_iter):
            yield from _clauses(child)
        elif child.type in (syms.or_test, syms.and_test) and clause.type == syms.comp_if:
            yield from [c for c in child.children if c.type == token.NAME and c.value in ("or", "and")]


def _takes_comma(brackets: Node) -> bool:
    """Not `(x)`, where a comma makes a tuple."""
    return brackets.type == syms.trailer or brackets.children[0].type != token.LPAR


def _inside(brackets: LN) -> list[LN]:
    return list(brackets.children[1:-1])


def _brackets(node: LN) -> Iterator[Node]:
    """The outermost pairs of brackets in a node."""
    if node.type in (syms.trailer, syms.atom) and node.children[0].type in _OPEN:
        yield node
        return
    for child in node.children:
        yield from _brackets(child)


def _statement(node: LN) -> Node:
    while node.parent is not None and node.parent.type not in BLOCKS:
        node = node.parent
    return node


def _line(node: LN) -> str:
    """The line of the text on which a node begins."""
    text, start = "", 0
    first = next(iter(node.leaves()))
    for leaf in _statement(node).leaves():
        if leaf is first:
            start = len(text) + len(leaf.prefix)
        text += str(leaf)
    begin = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    return text[begin:].splitlines()[0]
