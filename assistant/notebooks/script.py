"""A notebook as a script that plain Python runs: its module, line for line, with magics left out.

They are IPython's: what they do (install, download, draw in the page) is not done by the script.
"""

from __future__ import annotations

from .magics import TIMED, Mask
from .notebook_cells import Cells, Part
from .syntax import Bad

NEEDED = "`{}` gets its value from IPython, and a script of plain Python is run: write it in Python"


def script(cells: Cells) -> str:
    """The text. Raises Bad where the program needs what a magic gives."""
    return "".join(f"{part.mark}{part.end}{_plain(part)}{part.end}" for part in cells.parts)


def _plain(part: Part) -> str:
    text = part.text
    for mask in part.masks:
        if mask.kind == TIMED:
            text = text.replace(mask.shown, "")
            continue
        before, _, after = text.partition(mask.shown)
        if before.rpartition("\n")[2].strip():
            raise Bad(
                NEEDED.format(_mask_line(part, mask)), part.cell.number, before.count("\n") + 1
            )
        text = before + "pass" + "\n" * mask.shown.count("\n") + after
    return text


def _mask_line(part: Part, mask: Mask) -> str:
    before = part.text.partition(mask.shown)[0].rpartition("\n")[2].strip()
    return f"{before} {mask.raw}".splitlines()[0]
