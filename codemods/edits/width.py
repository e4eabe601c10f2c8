"""Lines that an edit has made too long are broken the way black breaks them."""

from __future__ import annotations

from collections.abc import Iterator

from ..syntax import LN, Node, syms, token
from ..syntax.fstrings import opened_around
from .items import comprehension, items_of, operands_of
from .layout import BLOCKS, indentation, newline, statement_around, unit
from .limit import limit
from .lines import is_broken, line_at
from .long_chains import break_chain, dots_after_a_call, fold_chain

_OPEN = frozenset((token.LPAR, token.LSQB, token.LBRACE))
_BRACKETS = (syms.trailer, syms.atom)
_WITH_VALUE = (syms.expr_stmt, syms.return_stmt)


def fold(brackets: LN) -> None:
    """Break a line that got too long: all between brackets on the next one, or an item a line."""
    if opened_around(brackets) is not None:
        return  # before Python 3.12 a field of a string in one line has one line
    brackets = _picked_from(brackets)
    body = _inside(brackets)
    texts = (str(leaf) for node in body for leaf in node.leaves())
    if not body or is_broken(texts) or len(line_at(body[0])) <= limit(brackets):
        return
    inside = "".join(map(str, body)).strip()
    statement, outer = statement_around(brackets), line_at(brackets)
    end = newline(statement) + outer[: len(outer) - len(outer.lstrip())]
    line = end + unit(statement)
    closing = brackets.children[-1]
    if "#" not in closing.prefix:  # else it closes on a line of its own, below a comment
        closing.prefix = end
    if not _is_list(body[0]) and len(line.lstrip("\r\n") + inside) <= limit(brackets):
        body[0].prefix = line
        return
    items = list(items_of(brackets))
    for item in items:
        item.prefix = line
    for item in items:
        break_chain(item, line)
        _break_condition(item, line)
    for inner in _inside(brackets):
        for nested in sorted(_brackets(inner), key=_length, reverse=True):
            fold(nested)


def _picked_from(brackets: LN) -> LN:
    """The list of `[a for b in c][0]` for the brackets behind it, which say little."""
    before = brackets.prev_sibling if brackets.type == syms.trailer else None
    if before is None or before.type != syms.atom:
        return brackets
    is_list = all(each.children[0].type == token.LSQB for each in (before, brackets))
    return before if is_list else brackets


def _break_condition(clause: LN, line: str) -> None:
    """Break an `if` of a comprehension that is too long even on a line of its own."""
    if len(line_at(clause)) > limit(clause):
        for word in operands_of(clause):
            word.prefix = line


def _is_list(inside: LN) -> bool:
    """Whether it is a list of several items, which is read from above to below."""
    return bool(inside.type == syms.listmaker) and comprehension(inside) is None


def fold_around(node: LN, fewest: int = 2) -> None:
    """Fold the brackets around a node, from the outermost ones to its own.

    A chain of at least so many calls behind a call is broken before its dots.
    """
    around = [node]
    while around[-1].parent is not None and around[-1].parent.type not in BLOCKS:
        around.append(around[-1].parent)
    for place in reversed(around):
        if opened_around(place) is not None:
            continue
        if place.type == syms.power and len(list(dots_after_a_call(place))) >= fewest:
            fold_chain(place, fewest)
        elif place.type in _BRACKETS and place.children[0].type in _OPEN:
            fold(place)


def fold_lines(place: LN, most: int) -> None:
    """Break a statement, or the head of a `for` or `with`, longer than `most`, at last brackets."""
    line = statement_around(place)
    if line.type == syms.for_stmt and len(line_at(line)) > most:
        _fold_last(line.children[3])
    elif line.type == syms.with_stmt and len(line_at(line)) > most:
        _fold_last(_entered(line.children[-3]))
    statement = line.children[0]
    if line.type != syms.simple_stmt or len(line.children) != 2 or _length_of(line) <= most:
        return
    _fold_last(statement.children[-1] if statement.type in _WITH_VALUE else statement)


def _entered(item: LN) -> LN:
    """What a `with` enters, without the name that it gets."""
    return item.children[0] if item.type == syms.with_item else item


def _fold_last(value: LN) -> None:
    """Break what a value ends with, if that are brackets."""
    brackets = value.children[-1] if value.type == syms.power else value
    if brackets.type in _BRACKETS and brackets.children[0].type in _OPEN:
        fold(brackets)


def _length_of(line: Node) -> int:
    """That of its first line, but for a comment: that stays where it is."""
    return len(line_at(line)) - len(line.children[-1].prefix)


def fold_assigned(statement: Node) -> None:
    """Break the call that a too long statement assigns; others stay as they are."""
    if statement.type != syms.simple_stmt:
        return
    value = statement.children[0].children[-1]
    is_call = value.type == syms.power and value.children[-1].type == syms.trailer
    if is_call and value.children[-1].children[0].type == token.LPAR:
        fold(value.children[-1])


def _inside(brackets: LN) -> list[LN]:
    return list(brackets.children[1:-1])


def _brackets(node: LN) -> Iterator[Node]:
    """The outermost pairs of brackets in a node."""
    if node.type in _BRACKETS and node.children[0].type in _OPEN:
        yield node
        return
    for child in node.children:
        yield from _brackets(child)


def _length(node: LN) -> int:
    return len(str(node))


def indent_of(node: LN) -> str:
    """The white space before the statement that a node belongs to."""
    return indentation(statement_around(node))
