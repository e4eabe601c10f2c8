"""Edits of call arguments that follow the layout the call already has."""

from __future__ import annotations

import re

from ..syntax import LN, Leaf, Node, syms, token
from .expression_edits import expression, match_quotes, parenthesised
from .layout import NEWLINE_TEXT, index_of
from .limit import limit
from .lines import line_at

# What stands before an argument that begins a line: the newline and the indentation.
LAST_LINE = re.compile(r"(?:\r\n|\r|\n)[ \t\f]*\Z")


def argument(call: LN, name: str, position: int | None = None) -> LN | None:
    """The value given by keyword or at a position that no `*args` comes before."""
    values = arguments(call)
    for item in values:
        if keyword(item) == name:
            return item.children[2]
    if position is None or position >= len(values):
        return None
    if any(
        item.type == syms.argument and not _is_generator(item) for item in values[: position + 1]
    ):
        return None
    return values[position]


def arguments(call: LN) -> list[LN]:
    """The arguments of a call as they stand, without commas."""
    inside = parentheses(call).children[1:-1]
    items = inside[0].children if inside and inside[0].type == syms.arglist else inside
    return [item for item in items if item.type != token.COMMA]


def parentheses(call: LN) -> Node:
    """The trailer that holds a call's arguments."""
    if call.type == syms.trailer:
        return call
    trailers = [child for child in call.children if child.type == syms.trailer]
    return [trailer for trailer in trailers if trailer.children[0].type == token.LPAR][-1]


def keyword(item: LN) -> str | None:
    """The name of a keyword argument, None for any other argument."""
    if (
        item.type == syms.argument
        and len(item.children) == 3
        and item.children[1].type == token.EQUAL
    ):
        return str(item.children[0].value)
    return None


def _is_generator(item: LN) -> bool:
    """Whether an argument that is no keyword argument is one value: a bare generator or `:=`."""
    return keyword(item) is None and item.children[0].type not in (token.STAR, token.DOUBLESTAR)


def required(call: LN, name: str, position: int | None = None) -> LN:
    """The same where there must be one: raises ValueError."""
    found = argument(call, name, position)
    if found is None:
        raise ValueError(f"{str(call).strip()} has no argument {name}")
    return found


def add_argument(call: LN, name: str, code: str) -> None:
    """Add a keyword argument: it goes last, but before `**options`."""
    value = expression(code)
    match_quotes([value], call)
    children = [Leaf(token.NAME, name), Leaf(token.EQUAL, "="), value]
    _append(parentheses(call), Node(syms.argument, children))


def take_away(call: LN, name: str) -> None:
    """Take a keyword argument away; the next one stands where it stood, the last has no comma."""
    trailer = parentheses(call)
    item = next(each for each in arguments(trailer) if keyword(each) == name)
    rest = [each for each in (item.next_sibling, item.prev_sibling) if each is not None]
    comma = next((each for each in rest if each.type == token.COMMA), None)
    following = None if comma is None else comma.next_sibling
    if following is not None and comma is item.next_sibling:
        following.prefix = item.prefix
    if comma is not None:
        comma.remove()
    item.remove()


def _append(trailer: Node, new: Node) -> None:
    items = arguments(trailer)
    if not items:
        trailer.insert_child(1, new)
        return
    arglist = _arglist(trailer, items)
    options = [item for item in items if _is_options(item)]
    if options:
        _put_before(arglist, options[0], new)
    else:
        _put_last(arglist, new)


def _is_options(item: LN) -> bool:
    return bool(item.type == syms.argument and item.children[0].type == token.DOUBLESTAR)


def _arglist(trailer: Node, items: list[LN]) -> Node:
    """The list of arguments, made if there is only one; a bare generator gets its parentheses."""
    inside = trailer.children[1]
    if inside.type == syms.arglist:
        return inside
    inside.remove()
    if inside.type == syms.argument and inside.children[-1].type == syms.comp_for:
        prefix, inside.prefix = inside.prefix, ""
        inside.type = syms.testlist_gexp
        inside = parenthesised(inside)
        inside.prefix = prefix
    arglist = Node(syms.arglist, [inside])
    trailer.insert_child(1, arglist)
    return arglist


def _put_before(arglist: Node, item: LN, new: Node) -> None:
    position = index_of(item)
    new.prefix = item.prefix
    if "#" in item.prefix:  # a comment of the options or of the argument above: it stays there
        new.prefix, item.prefix = item.prefix, LAST_LINE.findall(item.prefix)[-1]
    elif position == 0 and not item.prefix:
        item.prefix = " "
    arglist.insert_child(position, new)
    arglist.insert_child(position + 1, Leaf(token.COMMA, ","))


def _put_last(arglist: Node, new: Node) -> None:
    """After the last argument, on a line of its own if the last one has that."""
    last = arglist.children[-1]
    close = arglist.next_sibling
    trailing_comma = last.type == token.COMMA
    item = arglist.children[-2] if trailing_comma else last
    indent = LAST_LINE.search(item.prefix)
    new.prefix = " " if indent is None else indent[0]
    comment = NEWLINE_TEXT.split(close.prefix)[0]
    if indent is not None and "#" in comment:
        new.prefix = comment + indent[0]
        close.prefix = close.prefix[len(comment) :]
    if not trailing_comma:
        arglist.append_child(Leaf(token.COMMA, ","))
    arglist.append_child(new)
    if trailing_comma:
        arglist.append_child(Leaf(token.COMMA, ","))
    if indent is None and len(line_at(new)) > limit(new):
        lines = [LAST_LINE.search(each.prefix) for each in arglist.children[1:]]
        new.prefix = next((line[0] for line in reversed(lines) if line is not None), new.prefix)
