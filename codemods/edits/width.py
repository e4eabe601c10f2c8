"""Lines that an edit has made too long are broken the way black breaks them."""

from __future__ import annotations

from collections.abc import Iterator

from ..syntax import LN, Leaf, Node, syms, token
from .layout import BLOCKS, indentation, newline, unit
from .lines import is_broken, line_at

LIMIT = 88
_OPEN = frozenset((token.LPAR, token.LSQB, token.LBRACE))
_TERNARY = ("if", "else")
_LISTS = frozenset((syms.arglist, syms.listmaker, syms.testlist_gexp, syms.subscriptlist))


def fold(brackets: LN) -> None:
    """Break a line that got too long: all between brackets on the next one, or an item a line."""
    body = _inside(brackets)
    texts = (str(leaf) for node in body for leaf in node.leaves())
    if not body or is_broken(texts) or len(line_at(body[0])) <= LIMIT:
        return
    inside = "".join(map(str, body)).strip()
    statement, outer = _statement(brackets), line_at(brackets)
    end = newline(statement) + outer[: len(outer) - len(outer.lstrip())]
    line = end + unit(statement)
    closing = brackets.children[-1]
    if "#" not in closing.prefix:  # else it closes on a line of its own, below a comment
        closing.prefix = end
    if len(line.lstrip("\r\n") + inside) <= LIMIT:
        body[0].prefix = line
        return
    items = list(_items(brackets))
    for item in items:
        item.prefix = line
    for item in items:
        is_long = item.type == syms.power and len(line_at(item)) > LIMIT
        dots = list(_dots_after_a_call(item)) if is_long else []
        for dot in dots if len(dots) > 1 else ():
            dot.prefix = line
    for inner in _inside(brackets):
        for nested in sorted(_brackets(inner), key=_length, reverse=True):
            fold(nested)


def _break_before_dots(item: LN, line: str) -> None:
    """Give each call of a chain a line of its own if the item is a chain, and still too long."""
    if item.type == syms.power and len(line_at(item)) > LIMIT:
        dots = list(_dots_after_a_call(item))
        for dot in dots if len(dots) > 1 else ():
            dot.prefix = line


def fold_around(node: LN) -> None:
    """Fold the brackets around a node, from the outermost ones to its own."""
    around = [node]
    while around[-1].parent is not None and around[-1].parent.type not in BLOCKS:
        around.append(around[-1].parent)
    for place in reversed(around):
        if place.type == syms.power and len(list(_dots_after_a_call(place))) > 1:
            fold_chain(place)
        elif place.type in (syms.trailer, syms.atom) and place.children[0].type in _OPEN:
            fold(place)


def fold_assigned(statement: Node) -> None:
    """Break the call that a too long statement assigns."""
    value = statement.children[0].children[-1]
    is_call = value.type == syms.power and value.children[-1].type == syms.trailer
    if is_call and value.children[-1].children[0].type == token.LPAR:
        fold(value.children[-1])


def fold_chain(chain: Node) -> None:
    """Give each call of a chain a line of its own if it is all that a too long line assigns."""
    if is_broken(map(str, chain.leaves())) or len(line_at(chain)) <= LIMIT:
        return
    if not _stands_alone(chain):
        return
    statement = _statement(chain)
    line = line_at(chain)
    end = newline(statement) + line[: len(line) - len(line.lstrip())]
    step = unit(statement)
    for dot in _dots_after_a_call(chain):
        dot.prefix = end + step
    prefix, chain.prefix = chain.prefix, end + step
    brackets = Node(
        syms.atom, [Leaf(token.LPAR, "("), Leaf(token.RPAR, ")", prefix=end)], prefix=prefix
    )
    chain.replace(brackets)
    brackets.insert_child(1, chain)


def _stands_alone(chain: Node) -> bool:
    """Whether it is the value of an assignment or of `return`, and nothing more."""
    around = chain.parent
    is_value = around is not None and around.type in (syms.expr_stmt, syms.return_stmt)
    return is_value and around.children[-1] is chain


def _dots_after_a_call(chain: Node) -> Iterator[Node]:
    """`.b` and `.c` of `x.y.a(1).b(2).c(3)`."""
    parts = links(chain)
    for before, trailer in zip(parts, parts[1:]):
        is_call = before.type == syms.trailer and before.children[0].type == token.LPAR
        if is_call and trailer.children[0].type == token.DOT:
            yield trailer


def links(chain: LN) -> list[LN]:
    """The parts of a chain of calls; a shorter chain that is a place of a rule is a node in it."""
    first = chain.children[0]
    return [*(links(first) if first.type == syms.power else [first]), *chain.children[1:]]


def whole_chain(chain: LN) -> LN:
    """The chain of which this one is the beginning."""
    while (
        chain.parent is not None
        and chain.parent.type == syms.power
        and chain.parent.children[0] is chain
    ):
        chain = chain.parent
    return chain


def _items(brackets: Node) -> Iterator[LN]:
    """What starts a line: the items of a list, the clauses of a comprehension, else everything."""
    inside = _inside(brackets)[0]
    if inside.type == syms.test:  # a if b else c
        yield from [
            c
            for n, c in enumerate(inside.children)
            if n == 0 or (c.type == token.NAME and c.value in _TERNARY)
        ]
        return
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
            yield from [
                c for c in child.children if c.type == token.NAME and c.value in ("or", "and")
            ]


def _inside(brackets: LN) -> list[LN]:
    return list(brackets.children[1:-1])


def _brackets(node: LN) -> Iterator[Node]:
    """The outermost pairs of brackets in a node."""
    if node.type in (syms.trailer, syms.atom) and node.children[0].type in _OPEN:
        yield node
        return
    for child in node.children:
        yield from _brackets(child)


def _length(node: LN) -> int:
    return len(str(node))


def _statement(node: LN) -> Node:
    while node.parent is not None and node.parent.type not in BLOCKS:
        node = node.parent
    return node


def indent_of(node: LN) -> str:
    """The white space before the statement that a node belongs to."""
    return indentation(_statement(node))
