"""From nodes of the abstract tree to nodes of the concrete one, by where they stand.

A part of a chain (`a.b` in `a.b(c)`, `a + b` in `a + b + c`) has no node of its own in fissix's
flat trees. It gets one, of its parent's type, when it is asked for; the text stays as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from fissix.pygram import python_symbols as syms

from .fstrings import in_fields
from .leaves import LAYOUT, Leaves
from .source import Source, Unmade
from .tree import LN, Leaf, Node

CHAINS = frozenset(
    {
        syms.power,
        syms.term,
        syms.arith_expr,
        syms.shift_expr,
        syms.and_expr,
        syms.xor_expr,
        syms.expr,
    }
)
COMPOUND = tuple(
    getattr(ast, name)
    for name in [
        "If",
        "For",
        "AsyncFor",
        "While",
        "With",
        "AsyncWith",
        "Try",
        "TryStar",
        "Match",
        "FunctionDef",
        "AsyncFunctionDef",
        "ClassDef",
        "ExceptHandler",
    ]
    if hasattr(ast, name)
)


def resolve(tree: Node, source: Source, nodes: Iterable[ast.AST]) -> dict[ast.AST, LN]:
    """For each node of `source.module` its node in `tree`, which must not have been edited yet.

    Expressions, patterns, keyword arguments and simple statements become what has the same start
    and end; compound statements their own node, without decorators; `ast.Module` the tree.

    Raises Unmade for what has no node: an `elif`, nodes without position.
    """
    leaves, nodes = Leaves(tree), list(nodes)
    wanted = {node for node in nodes if node in source.in_fstrings}
    inside = in_fields(leaves, source, wanted, resolve)
    others = [node for node in nodes if node not in inside]
    return {**inside, **{node: _resolve(node, tree, source, leaves) for node in others}}


def _resolve(node: ast.AST, tree: Node, source: Source, leaves: Leaves) -> LN:
    if isinstance(node, ast.Module):
        return tree
    begin, end = source.offsets(node)
    first, last = leaves.beginning.get(begin), leaves.ending.get(end)
    if node in source.in_fstrings or first is None:
        raise _unresolved(node, source)
    if isinstance(node, COMPOUND):
        return _compound(node, first, source)
    if last is None:
        raise _unresolved(node, source)
    found = _exact(first, last)
    if found is None:
        raise _unresolved(node, source)
    if isinstance(node, ast.GeneratorExp) and found.type == syms.trailer:
        return found.children[1]  # for `ast` the call's own parentheses belong to it
    return found


def _compound(node: ast.AST, first: Leaf, source: Source) -> LN:
    if first.parent is not None and first.parent.children[0] is first:
        return first.parent
    if isinstance(node, ast.ExceptHandler):  # `except:` is not a clause, only a word
        return first
    raise _unresolved(node, source)


def _exact(first: Leaf, last: Leaf) -> LN | None:
    """The smallest node from one leaf to the other, cut out of a chain if it must be."""
    if first is last:
        return first
    left, right = _below_common(first, last)
    around = left.parent
    if _first(left) is not first or _last(right) is not last:
        return None
    if around.children[0] is left and not _code_after(right):
        return around
    return _cut_out(around, left, right) if around.type in CHAINS else None


def _below_common(first: Leaf, last: Leaf) -> tuple[LN, LN]:
    """The two siblings that hold the one leaf and the other."""
    above = {}
    node: LN = first
    while node.parent is not None:
        above[id(node.parent)] = node
        node = node.parent
    node = last
    while id(node.parent) not in above:
        node = node.parent
    return above[id(node.parent)], node


def _first(node: LN) -> LN:
    while node.children:
        node = node.children[0]
    return node


def _last(node: LN) -> LN:
    while node.children:
        node = node.children[-1]
    return node


def _code_after(child: LN) -> bool:
    following = child.next_sibling
    while following is not None and following.type in LAYOUT:
        following = following.next_sibling
    return following is not None


def _cut_out(around: Node, left: LN, right: LN) -> Node:
    """Puts the children from `left` to `right` into a node of their own."""
    places = [
        index for index, child in enumerate(around.children) if child is left or child is right
    ]
    begin, end = places[0], places[-1] + 1
    children = around.children[begin:end]
    for child in children:
        child.parent = None
    part = Node(around.type, children)
    part.parent = around
    around.children[begin:end] = [part]
    return part


def _unresolved(node: ast.AST, source: Source) -> Unmade:
    line, column = source.span(node)[:2]
    where = "in an f-string " if node in source.in_fstrings else ""
    message = f"{type(node).__name__} {where}at {line}:{column} has no node in the tree"
    return Unmade(message, node)
