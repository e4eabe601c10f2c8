"""Lines as reports name them: of a script by their number, of a notebook by cell and line."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from ..files.outcome import Outcome
from .lines import places

if TYPE_CHECKING:
    from ..notebooks.notebook_cells import Cells

Positions = tuple[tuple[int, int], ...]


def cells(outcome: Outcome) -> Cells | None:
    """The cells of a notebook; None of a script."""
    return outcome.source.cells if outcome.source is not None else None


def words(outcome: Outcome, positions: Positions) -> str:
    """`lines 3, 7 and 9`; in a notebook `cell 2, lines 3 and 7; cell 5, line 1`."""
    found = cells(outcome)
    if found is None:
        return places(positions)
    spots = sorted({found.place(line) for line, _ in positions})
    told = [
        f"cell {cell}, {places(tuple((each.line, 0) for each in group))}"
        for cell, group in groupby(spots, lambda spot: spot.cell)
    ]
    return "; ".join(told if len(told) <= 8 else [*told[:7], f"{len(told) - 7} more cells"])


def jump(outcome: Outcome, line: int) -> str:
    """What stands behind a file's name: `:3`, and of a notebook `:cell 2:3`, as ruff has it."""
    found = cells(outcome)
    return f":{line}" if found is None else mark(*found.place(line))


def mark(cell: int, line: int) -> str:
    """The same for a place that is known as cell and line; no cell: a line of a script."""
    return f":cell {cell}:{line}" if cell else f":{line}"


def number(outcome: Outcome, line: int) -> int:
    """The number of a line within its file or its cell."""
    found = cells(outcome)
    return line if found is None else found.place(line).line


def in_file(outcome: Outcome, line: int) -> int:
    """The number of a line in the file as it is on disk, which forges show."""
    found = cells(outcome)
    return line if found is None else found.json_line(line)


def on_disk(outcome: Outcome, after: str) -> tuple[str, str]:
    """The text of the file and what it becomes; of a notebook both are its JSON."""
    found = cells(outcome)
    if found is None:
        return outcome.migration.before if outcome.migration is not None else "", after
    from ..notebooks.restored import Lost

    try:
        return found.layout.text, found.becomes(after)
    except Lost:  # a repair that goes over the borders of cells
        return found.layout.text, found.layout.text
