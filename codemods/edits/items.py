"""What starts a line of its own between brackets that are broken."""

from __future__ import annotations

from collections.abc import Iterator

from ..syntax import LN, Leaf, Node, syms, token

_TERNARY = ("if", "else")
_LISTS = frozenset(
    (syms.arglist, syms.listmaker, syms.testlist_gexp, syms.subscriptlist, syms.dictsetmaker)
)


def items_of(brackets: Node) -> Iterator[LN]:
    """What starts a line: the items of a list, the clauses of a comprehension, else everything."""
    inside = brackets.children[1]
    if inside.type == syms.test:  # a if b else c
        yield from [
            c
            for n, c in enumerate(inside.children)
            if n == 0 or (c.type == token.NAME and c.value in _TERNARY)
        ]
        return
    clause = comprehension(inside)
    if clause is not None:
        yield inside
        yield from _clauses(clause)
        return
    if inside.type in _LISTS:
        before = [None, *inside.children]
        starts = zip(before, inside.children)
        yield from [item for last, item in starts if last is None or last.type == token.COMMA]
        if inside.children[-1].type != token.COMMA:
            inside.append_child(Leaf(token.COMMA, ","))
        return
    yield inside


def comprehension(inside: LN) -> LN | None:
    """The first clause of a comprehension; None for all else."""
    last = inside.children[-1] if inside.children else None
    return last if last is not None and last.type in (syms.comp_for,) else None


def _clauses(clause: LN) -> Iterator[LN]:
    """`for …` and `if …`."""
    yield clause
    for child in clause.children:
        if child.type in (syms.comp_for, syms.comp_if, syms.comp_iter):
            yield from _clauses(child)


def operands_of(clause: LN) -> list[LN]:
    """The `or` and `and` of a comprehension's condition: what a long one is broken at."""
    conditions = clause.children if clause.type == syms.comp_if else []
    return [
        word
        for condition in conditions
        if condition.type in (syms.or_test, syms.and_test)
        for word in condition.children
        if word.type == token.NAME and word.value in ("or", "and")
    ]
