"""Chains of method calls that are too long for a line are broken before their dots."""

from __future__ import annotations

from collections.abc import Iterator

from ..syntax import LN, Leaf, Node, syms, token
from .layout import newline, statement_around, unit
from .limit import limit
from .lines import begin_of, is_broken, line_at, realign

_WITH_VALUE = frozenset((syms.expr_stmt, syms.return_stmt))
_PAIRS = frozenset((syms.testlist_star_expr, syms.testlist))  # `a, b` without parentheses
_AROUND_VALUES = _WITH_VALUE | _PAIRS | {syms.argument}


def break_chain(item: LN, line: str) -> None:
    """Break a chain that is an item, or given by keyword, before its dots if it is too long."""
    if item.type == syms.argument:
        fold_chain(item.children[-1])
    elif item.type == syms.power and len(line_at(item)) > limit(item):
        dots = list(dots_after_a_call(item))
        for dot in dots if len(dots) > 1 else ():
            dot.prefix = line


def fold_chain(chain: LN, fewest: int = 2) -> None:
    """Put a chain in parentheses, each call on a line of its own, if its line is too long.

    The lines between the brackets of its calls go along.
    """
    dots = list(dots_after_a_call(chain)) if chain.type == syms.power else []
    if len(dots) < fewest or not _stands_alone(chain) or _is_broken_outside(chain):
        return
    line = line_at(chain)
    if len(line) <= limit(chain):
        return
    statement = statement_around(chain)
    end = newline(statement) + line[: len(line) - len(line.lstrip())]
    step = unit(statement)
    begun = [(part, begin_of(part)) for part in links(chain)]
    for dot in dots:
        dot.prefix = end + step
    prefix, chain.prefix = chain.prefix, end + step
    brackets = Node(
        syms.atom, [Leaf(token.LPAR, "("), Leaf(token.RPAR, ")", prefix=end)], prefix=prefix
    )
    chain.replace(brackets)
    brackets.insert_child(1, chain)
    for part, begin in begun:
        realign(part, begin, is_bare=False)


def _is_broken_outside(chain: LN) -> bool:
    """Whether a line ends in the chain elsewhere than between the brackets of its calls."""
    first, *further = links(chain)
    between = (text for part in further for text in (part.prefix, str(part.children[-1].value)))
    return is_broken([*map(str, first.leaves()), *between])


def _stands_alone(chain: LN) -> bool:
    """Whether it is a value of an assignment, of `return`, of a keyword or `for`, and no more."""
    around = chain.parent
    if around is not None and around.type == syms.for_stmt:
        return around.children[3] is chain
    if around is None or around.type not in _AROUND_VALUES:
        return False
    if around.type in _PAIRS:
        return around.parent.type in _WITH_VALUE
    if around.type == syms.argument and around.children[1].type != token.EQUAL:
        return False
    return around.children[-1] is chain


def dots_after_a_call(chain: LN) -> Iterator[LN]:
    """`.b` and `.c` of `x.y.a(1).b(2).c(3)`."""
    parts = links(chain)
    for before, trailer in zip(parts, parts[1:]):
        is_call = before.type == syms.trailer and before.children[0].type == token.LPAR
        is_link = trailer.type == syms.trailer  # `a.b(1) ** 2` is such a node, too
        if is_call and is_link and trailer.children[0].type == token.DOT:
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
