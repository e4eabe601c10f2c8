"""`value if test else other`, over several lines where one would be too long."""

from __future__ import annotations

from ..syntax import LN, Leaf, Node, syms, token
from .expression_edits import wrap
from .items import items_of
from .layout import newline, statement_around, unit
from .limit import limit
from .lines import begin_of, realign
from .width import fold, fold_around, indent_of

_WHOLE = frozenset((syms.expr_stmt, syms.return_stmt))


def choose(node: LN, template: str) -> None:
    """Put a node into a choice between two values; `_` stands for it in the template."""
    wrap(node, template)
    choice = node.parent
    while choice.type != syms.test:
        choice = choice.parent
    if choice.parent.type in _WHOLE and "\n" in str(node)[len(node.prefix) :]:
        begun = begin_of(node)
        _break_apart(_in_parentheses(choice))
        realign(node, begun, is_bare=False)
    elif choice.parent.type in _WHOLE and _fits_in_parentheses(choice):
        fold(_in_parentheses(choice))
    else:
        fold_around(choice)


def _fits_in_parentheses(choice: LN) -> bool:
    """Whether the statement is too long for a line, and was on one."""
    statement = str(choice.parent).strip()
    return "\n" not in statement and len(indent_of(choice) + statement) > limit(choice)


def _break_apart(brackets: Node) -> None:
    """A value over several lines stands above its test, one level deeper than it was."""
    statement = statement_around(brackets)
    end = newline(statement) + indent_of(brackets)
    for item in items_of(brackets):
        item.prefix = end + unit(statement)
    brackets.children[-1].prefix = end


def _in_parentheses(choice: LN) -> Node:
    brackets = Node(syms.atom, [Leaf(token.LPAR, "("), Leaf(token.RPAR, ")")], prefix=choice.prefix)
    choice.replace(brackets)
    choice.prefix = ""
    brackets.insert_child(1, choice)
    return brackets
