"""Statements that share a line with others get one of their own."""

from __future__ import annotations

from collections.abc import Sequence

from ..syntax import LN, Leaf, Node, syms, token
from .layout import BLOCKS, header, indentation, index_of, newline, unit


def own_line(statement: LN) -> Node:
    """The child of a block that holds the statement, alone on its line.

    `a; b` is split, a one-line suite (`if x: a`) is opened first.
    """
    node = statement
    while node.type != syms.simple_stmt and node.parent is not None:
        if node.parent.type in BLOCKS:
            return node
        node = node.parent
    if node.parent is not None and node.parent.type not in BLOCKS:
        _open_suite(node)
    return _split(node, statement)


def beyond(statement: LN, distance: int) -> Node:
    """The statement that stands so many lines below a statement (above it if less than 0)."""
    line = own_line(statement)
    for _ in range(abs(distance)):
        line = line.next_sibling if distance > 0 else line.prev_sibling
    return line


def _open_suite(simple: Node) -> None:
    compound, outer = simple.parent, header(simple)
    inner = indentation(outer) + unit(outer)
    end = Leaf(token.NEWLINE, newline(simple))
    position = index_of(simple)
    simple.remove()
    simple.prefix = inner
    children = [end, Leaf(token.INDENT, ""), simple, Leaf(token.DEDENT, "")]
    compound.insert_child(position, Node(syms.suite, children))


def _split(simple: Node, statement: LN) -> Node:
    """Give every statement of `a; b; c` a line; the one that holds `statement` is returned.

    The trailing comment stays on the last line.
    """
    small = [child for child in simple.children if child.type not in (token.SEMI, token.NEWLINE)]
    if len(small) == 1:
        return simple
    indent, end, prefix = indentation(simple), newline(simple), simple.prefix
    block, position = simple.parent, index_of(simple)
    for child in [child for child in simple.children if child.type == token.SEMI]:
        child.remove()
    lines = []
    for offset, child in enumerate(small[:-1]):
        child.remove()
        lines.append(Node(syms.simple_stmt, [child, Leaf(token.NEWLINE, end)]))
        lines[-1].prefix = indent if offset else prefix
    small[-1].prefix = indent
    put(block, position, lines)
    inside = set(map(id, _ancestors(statement)))
    return next((line for line in lines if id(line) in inside), simple)


def _ancestors(node: LN | None) -> list[LN]:
    above = []
    while node is not None:
        above.append(node)
        node = node.parent
    return above


def put(block: Node, position: int, nodes: Sequence[Node]) -> None:
    """Put statements into a block."""
    for offset, node in enumerate(nodes):
        block.insert_child(position + offset, node)


def last_newline(node: Node) -> Leaf:
    """The leaf that ends the last line of a statement."""
    return [leaf for leaf in node.leaves() if leaf.type == token.NEWLINE][-1]
