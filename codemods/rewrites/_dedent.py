"""Statements that leave the block they stand in."""

from __future__ import annotations

from ..syntax import LN
from ._layout import each_line, end_line, indentation, index_of, statements


def leave_block(compound: LN, start: int) -> None:
    """Put the statements of a block from number `start` on behind the block, one level out."""
    suite, block = compound.children[-1], compound.parent
    lines = statements(suite)[start:]
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
