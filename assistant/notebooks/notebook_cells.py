"""A notebook's code cells as one module, and a changed module as changed cells.

In front of each cell stands a mark, a comment as editors write it (`# %% cell 3`); what stands
between two marks belongs to the first. The JSON text is changed in place, only at the `source` of
cells that are different; a cell that can't take code (all of it is another language's, or it begins
with a magic that the code has to stand before) gets a new one beside it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from .layout import Cell, Layout, layout
from .magics import Hidden, Mask, masked
from .restored import Lost, Restored, restored
from .sources import New, written
from .syntax import Bad, tree

MARK = "# %% {} {}"
LOST = "what it would become can't be put back into its cells ({})"
# Of another file, `line 3 of model.py`, they are lines.
_LINES = re.compile(r"\blines? (\d+(?:(?:, | and | to )\d+)*)(?!\d|(?:, | and )\d| of \S+\.pyw?\b)")
_NUMBER = re.compile(r"\d+")


class Place(NamedTuple):
    """A line of a cell; both count from 1."""

    cell: int
    line: int

    def __str__(self) -> str:
        return f"cell {self.cell}, line {self.line}"


class Part(NamedTuple):
    """A code cell in the module: its mark, the line of that, and what stands below it."""

    cell: Cell
    mark: str
    line: int
    text: str
    masks: tuple[Mask, ...]
    end: str  # of the lines that are not the cell's own

    @property
    def shown(self) -> str:
        """The mark and what stands below it."""
        return f"{self.mark}{self.end}{self.text}{self.end}"


class Difference(NamedTuple):
    """A cell that changes, or a new one, by what it is called."""

    name: str
    before: str
    after: str


class Cells(NamedTuple):
    """The code cells of a notebook, and the module that they are."""

    layout: Layout
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The module."""
        return "".join(part.shown for part in self.parts)

    @property
    def has_magics(self) -> bool:
        """Whether IPython has to read what Python can't."""
        return any(part.masks for part in self.parts)

    def place(self, line: int) -> Place:
        """Where a line of the module stands in the notebook."""
        part = self._part(line)
        return Place(part.cell.number, max(line - part.line, 1))

    def place_in(self, text: str, line: int) -> Place:
        """The same for what the module has become."""
        marks, number = {part.mark: part.cell.number for part in self.parts}, 0
        start = 0
        for at, each in enumerate(text.split("\n")[:line], 1):
            if each.rstrip("\r") in marks:
                start, number = at, marks[each.rstrip("\r")]
        return Place(number or self.parts[0].cell.number, max(line - start, 1))

    def json_line(self, line: int) -> int:
        """The same as a line of the notebook's file, for those who show only that."""
        part = self._part(line)
        wanted, seen, at = max(line - part.line - 1, 0), 0, part.cell.source[0]
        for piece in part.cell.pieces:
            if seen > wanted:
                break
            at, seen = piece.start, seen + piece.value.count("\n")
            if seen > wanted:
                break
        return self.layout.text.count("\n", 0, at) + 1

    def worded(self, text: str) -> str:
        """Words about lines of the module as words about lines of cells."""
        return _LINES.sub(self._said, text)

    def _said(self, found: re.Match[str]) -> str:
        return _NUMBER.sub(lambda number: str(self.place(int(number[0]))), found[1])

    def _part(self, line: int) -> Part:
        at = bisect_right([part.line for part in self.parts], line) - 1
        return self.parts[max(at, 0)]

    def becomes(self, text: str) -> str:
        """The JSON text of the notebook whose module is `text`. Raises Lost."""
        found = list(self._restored(text))
        changed = {
            part.cell.number: each.code for part, each in found if each.code != part.cell.code
        }
        made = written(self.layout, changed, (new for _, new in _new(found)))
        self._check(made, text)
        return made

    def differences(self, text: str) -> Iterator[Difference]:
        """The cells that are different in the notebook whose module is `text`, in order."""
        for part, each in self._restored(text):
            name = f"cell {part.cell.number}"
            if each.before:
                yield Difference(f"new cell before {name}", "", each.before)
            if each.code != part.cell.code:
                yield Difference(name, part.cell.code, each.code)
            if each.after:
                yield Difference(f"new cell behind {name}", "", each.after)

    def _restored(self, text: str) -> Iterator[tuple[Part, Restored]]:
        for part, segment in zip(self.parts, self._segments(text)):
            if segment == part.text + part.end:
                yield part, Restored("", part.cell.code)
            else:
                yield part, restored(part.masks, part.text, segment)

    def _segments(self, text: str) -> list[str]:
        """The text behind each mark; what stands in front of all is the first cell's."""
        segments, at = [], 0
        for part in self.parts:
            found = re.compile(f"^{re.escape(part.mark)}\r?\n", re.MULTILINE).search(text, at)
            if found is None:
                raise Lost(f"the beginning of cell {part.cell.number} would be lost")
            segments.append(text[at : found.start()])
            at = found.end()
        head, *others = [*segments, text[at:]]
        if head.strip() and others:
            others[0] = f"{head}{others[0]}"
        return others

    def _check(self, made: str, text: str) -> None:
        """Raises Lost where the notebook read again is another module."""
        try:
            again = cells(layout(made)).text
        except (Bad, ValueError) as error:
            raise Lost(str(error)) from None
        if tree(again) != tree(text):
            raise Lost("read again, it is another program")


def _new(found: list[tuple[Part, Restored]]) -> Iterator[tuple[Part, New]]:
    for part, each in found:
        if each.before:
            yield part, New(part.cell, True, each.before)
        if each.after:
            yield part, New(part.cell, False, each.after)


def cells(found: Layout) -> Cells:
    """The cells of a notebook with their module. Raises Bad."""
    parts: list[Part] = []
    line, number = 1, 1
    end = "\r\n" if any("\r\n" in cell.code for cell in found.cells) else "\n"
    word = "cell"
    while any(MARK.format(word, "") in cell.code for cell in found.cells):
        word += "_"
    for cell in found.cells:
        try:
            shown = masked(cell.code, number)
        except Hidden as error:
            raise Bad(error.message, cell.number, error.line) from None
        parts.append(Part(cell, MARK.format(word, cell.number), line, *shown, end))
        line += shown.text.count("\n") + 2
        number += len(shown.masks)
    return Cells(found, tuple(parts))
