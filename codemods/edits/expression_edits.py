"""Edits of expressions: parentheses only where the meaning needs them, and the file's quotes.

Whether parentheses are needed is not looked up in a table: both spellings are parsed with `ast`,
and where they mean the same the shorter one is taken.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from ..syntax import LN, Leaf, Node, parse, syms, token
from ..syntax.fstrings import opened_around
from ..syntax.strings import FORMATTED
from .layout import first_leaf, root, substitute

HOLE = "_"
OPERATORS = frozenset(
    (
        syms.power,
        syms.factor,
        syms.term,
        syms.arith_expr,
        syms.shift_expr,
        syms.and_expr,
        syms.xor_expr,
        syms.expr,
        syms.comparison,
        syms.not_test,
        syms.and_test,
        syms.or_test,
        syms.test,
        syms.lambdef,
        syms.star_expr,
        syms.namedexpr_test,
    )
)


def expression(code: str) -> LN:
    """One expression as a node that stands nowhere yet, without a prefix."""
    node = parse(f"({code})\n").children[0].children[0].children[1]
    node.remove()
    node.prefix = ""
    return node


def replace_expression(node: LN, new: str | LN) -> LN:
    """Put another expression in a node's place, with the comments and spaces before it kept."""
    made = expression(new) if isinstance(new, str) else new
    match_quotes([made], node)
    made.prefix = node.prefix
    substitute(node, made)
    return made


def exchange(node: LN, code: str) -> None:
    """Put another expression where one stood, in parentheses if the operators around need them."""
    node = _with_parentheses(node)
    made, prefix = expression(code), node.prefix
    match_quotes([made], node)
    placeholder = Leaf(token.NAME, HOLE, prefix=prefix)
    substitute(node, placeholder)
    _fit(placeholder, made, prefix)


def wrap(node: LN, template: str) -> None:
    """Put a node where `_` stands in an expression, and that expression where the node stood.

    The node itself stays the same object: other rules may hold it.
    """
    node = _with_parentheses(node)
    prefix, node.prefix = node.prefix, ""
    made = expression(template)
    match_quotes([made], node)
    hole = next(leaf for leaf in made.leaves() if leaf.value == HOLE)
    placeholder = Leaf(token.NAME, HOLE, prefix=prefix)
    substitute(node, placeholder)
    if _same(fill(template, f"({node}\n)"), fill(template, str(node))):
        inner = node
    else:
        inner = parenthesised(node)
    inner.prefix = hole.prefix
    substitute(hole, inner)
    _fit(placeholder, made, prefix)


def fill(template: str, code: str) -> str:
    """A template with code in its hole, which is no part of another name."""
    return re.sub(rf"\b{HOLE}\b", lambda found: code, template, count=1)


def _fit(placeholder: Leaf, made: LN, prefix: str) -> None:
    """Put an expression in a placeholder's place, with parentheses if the operators around need."""
    whole: LN = placeholder
    while whole.parent is not None and whole.parent.type in OPERATORS:
        whole = whole.parent
    text, outer = str(made), whole.prefix
    spelled = []
    for value in (f"({text}\n)", text):
        placeholder.value = value
        spelled.append(str(whole)[len(outer) :])
    new = made if whole is placeholder or _same(*spelled) else parenthesised(made)
    new.prefix = prefix
    substitute(placeholder, new)


def _with_parentheses(node: LN) -> LN:
    """The node together with parentheses that are around nothing else."""
    around = node.parent
    while around is not None and around.type == syms.atom and len(around.children) == 3:
        if around.children[0].type != token.LPAR:
            break
        node, around = around, around.parent
    return node


def parenthesised(node: LN) -> Node:
    """The node in parentheses; it must not stand in a tree."""
    prefix, node.prefix = node.prefix, ""
    children = [Leaf(token.LPAR, "("), node, Leaf(token.RPAR, ")")]
    return Node(syms.atom, children, prefix=prefix)


def _same(one: str, other: str) -> bool:
    """Whether two spellings of an expression mean the same."""
    return _meaning(one) == _meaning(other) != ""


def _meaning(code: str) -> str:
    for text in (f"(\n{code}\n)", f"f(\n{code}\n)"):  # the second one for `*args`
        try:
            return ast.dump(ast.parse(text, mode="eval"))
        except SyntaxError:
            continue
    return ""


def match_quotes(nodes: Iterable[LN], near: LN) -> None:
    """Give plain strings of inserted code the quotes that the file prefers."""
    string = opened_around(near)
    is_single = _prefers_single(root(near)) if string is None else _is_in_double(string)
    quote = "'" if is_single else '"'
    for leaf in (leaf for node in nodes for leaf in node.leaves()):
        if leaf.type == token.STRING and _is_plain(leaf.value):
            leaf.value = f"{quote}{leaf.value[1:-1]}{quote}"


def _is_in_double(string: LN) -> bool:
    """Whether an f-string stands in double quotes, which its fields can't hold before 3.12."""
    formatted = FORMATTED.match(first_leaf(string).value)
    return formatted is not None and '"' in formatted[2]


def _is_plain(string: str) -> bool:
    inside = string[1:-1]
    return (
        string[0] in "'\"" and string[:3] not in ('"""', "'''") and not set("'\"\\") & set(inside)
    )


def _prefers_single(tree: LN) -> bool:
    """Whether most one-line strings of the file are in single quotes (asked once for a tree)."""
    if not hasattr(tree, "prefers_single"):
        quotes = [
            leaf.value.lstrip("rRbBuUfF") for leaf in tree.leaves() if leaf.type == token.STRING
        ]
        single = sum(text[0] == "'" and text[:3] != "'''" for text in quotes)
        double = sum(text[0] == '"' and text[:3] != '"""' for text in quotes)
        tree.prefers_single = single > double
    return bool(tree.prefers_single)
