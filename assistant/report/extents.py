"""Where what a finding is about ends: the code that begins at its place.

Findings are known by where they begin. What begins there is the longest expression or statement; of
a statement with a body, its first line. What no parser of this Python reads ends with its line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from .frame import split

if TYPE_CHECKING:
    from ..notebooks.notebook_cells import Cells

Place = tuple[int, int]


class Extents:
    """The ends of the code in a text; lines count from 1, columns from 1 in characters.

    `cells` are those of the notebook whose module it is.
    """

    def __init__(self, text: str, cells: Cells | None = None) -> None:
        self._text, self.cells = text, cells
        self._lines = split(text)

    def end(self, line: int, column: int) -> Place:
        """Behind the last sign of what begins at this place."""
        found = self._extents_of.get((line, column))
        if found is not None and found > (line, column):
            return found
        return line, max(self._length(line) + 1, column)

    def number(self, line: int) -> int:
        """The number of a line within its script or its cell."""
        return line if self.cells is None else self.cells.place(line).line

    def _length(self, line: int) -> int:
        return len(self._lines[line - 1].rstrip()) if 0 < line <= len(self._lines) else 0

    @cached_property
    def _extents_of(self) -> dict[Place, Place]:
        found: dict[Place, Place] = {}
        for begin, end in self._nodes():
            found[begin] = max(end, found.get(begin, end))
        return found

    def _nodes(self) -> Iterator[tuple[Place, Place]]:
        try:
            nodes = list(ast.walk(ast.parse(self._text)))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        for node in nodes:
            if isinstance(node, (ast.expr, ast.stmt)) and node.end_lineno is not None:
                begin = self._place(node.lineno, node.col_offset)
                is_compound = isinstance(getattr(node, "body", None), list)
                if is_compound:
                    yield begin, (node.lineno, self._length(node.lineno) + 1)
                else:
                    yield begin, self._place(node.end_lineno, node.end_col_offset or 0)

    def _place(self, line: int, offset: int) -> Place:
        """`ast` counts bytes of UTF-8."""
        if not 0 < line <= len(self._lines):
            return line, offset + 1
        data = self._lines[line - 1].encode("utf-8", "surrogatepass")[:offset]
        return line, len(data.decode("utf-8", "replace")) + 1
