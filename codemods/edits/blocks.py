"""Statements that leave the block they stand in."""

from __future__ import annotations

from collections.abc import Sequence

from ..syntax import LN, Leaf, Node, syms, token
from .guards import indent
from .layout import BLOCKS, each_line, end_line, indentation, index_of, newline, statements
from .own_lines import own_line
from .removals import remove_statement


def leave_block(compound: LN, first: LN) -> None:
    """Put the statements of a block from the first one on behind the block, one level out."""
    start = own_line(first)
    suite, block = start.parent, compound.parent
    lines = statements(suite)[index_of(start) - index_of(statements(suite)[0]) :]
    inner, outer = indentation(lines[0]), indentation(compound)
    end_line(compound)

    def come_out(white: str) -> str:
        return outer + white[len(inner) :] if white.startswith(inner) else white

    for line in lines:
        line.remove()
    each_line(lines, come_out)
    position = index_of(compound) + 1
    for offset, line in enumerate(lines):
        block.insert_child(position + offset, line)


def nest(compound: LN, count: int, inside: Sequence[LN]) -> None:
    """Put the last items of a `with` into one of their own inside, around these statements."""
    lines = [own_line(each) for each in inside]
    first = lines[0]
    block, position, end = first.parent, index_of(first), newline(first)
    heads = compound.children[-1 - 2 * count : -2]  # with the commas between them
    for each in (compound.children[-2 - 2 * count], *heads):
        each.remove()
    heads[0].prefix = " "
    word = Leaf(token.NAME, "with", prefix=first.prefix)
    first.prefix = indentation(first)
    indent(lines)
    for line in lines:
        line.remove()
    suite = [Leaf(token.NEWLINE, end), Leaf(token.INDENT, ""), *lines, Leaf(token.DEDENT, "")]
    parts = [word, *heads, Leaf(token.COLON, ":"), Node(syms.suite, suite)]
    block.insert_child(position, Node(syms.with_stmt, parts))


def dissolve(compound: LN) -> None:
    """Put all statements of a block in the place of the statement around it."""
    inside = compound.children[-1]
    leave_block(compound, statements(inside)[0] if inside.type in BLOCKS else inside.children[0])
    remove_statement(compound)


def drop_branch(choice: LN) -> None:
    """Take the first branch of an `if` away; the `elif` behind it is its `if` then."""
    for each in choice.children[1:5]:
        each.remove()
