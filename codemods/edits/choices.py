"""`value if test else other`, over several lines where one would be too long."""

from __future__ import annotations

from ..syntax import LN, Leaf, Node, syms, token
from .expressions import wrap
from .limit import limit
from .width import fold, fold_around, indent_of

_WHOLE = frozenset((syms.expr_stmt, syms.return_stmt))


def choose(node: LN, template: str) -> None:
    """Put a node into a choice between two values; `_` stands for it in the template."""
    wrap(node, template)
    choice = node.parent
    while choice.type != syms.test:
        choice = choice.parent
    if choice.parent.type in _WHOLE and _fits_in_parentheses(choice):
        fold(_in_parentheses(choice))
    else:
        fold_around(choice)


def _fits_in_parentheses(choice: LN) -> bool:
    """Whether the statement is too long for a line, and was on one."""
    statement = str(choice.parent).strip()
    return "\n" not in statement and len(indent_of(choice) + statement) > limit(choice)


def _in_parentheses(choice: LN) -> Node:
    brackets = Node(syms.atom, [Leaf(token.LPAR, "("), Leaf(token.RPAR, ")")], prefix=choice.prefix)
    choice.replace(brackets)
    choice.prefix = ""
    brackets.insert_child(1, choice)
    return brackets
