"""Unified diffs: exact bytes for `patch` and `git apply`, coloured lines for a person."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from ..files.outcome import Outcome
from . import proved, summary
from .escape import safe
from .lines import Line, Span
from .reasons import NOTHING, reason

if TYPE_CHECKING:
    from ..codemods import Rule
    from ..notebooks.notebook_cells import Cells

_LINE = re.compile(rb"[^\n]*\n|[^\n]+")  # patch knows no other line end
_STYLES = {b"+": "added", b"-": "removed", b"@": "code"}
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? ")
SAME: Mapping[int, int] = {}  # a script has the lines that it has
NO_NEWLINE = b"\\ No newline at end of file\n"


def unified(outcome: Outcome, why: Mapping[str, Rule] = NOTHING) -> Iterator[bytes]:
    """The diff of a changed file in the file's own encoding, line by line.

    `why` are the rules: what is due in a hunk is told behind its places, where git puts the name of
    a function: what applies a diff reads nothing there.
    """
    if outcome.source is None or outcome.after is None:
        return
    if outcome.source.cells is not None:
        yield from _by_cell(outcome, outcome.source.cells, why)
        return
    name = outcome.name.replace(os.sep, "/")
    if outcome.left_out:  # `git apply` and `patch` pass over lines before the first header
        yield f"{summary.unsound(outcome)}\n".encode()
    if outcome.suppressed:
        yield f"{summary.suppressed(outcome)}\n".encode()
    if outcome.taken_on:
        yield f"{proved.taken_on(outcome)}\n".encode()
    old, new = (name, name) if os.path.isabs(name) else (f"a/{name}", f"b/{name}")
    pieces = difflib.diff_bytes(
        difflib.unified_diff,
        _LINE.findall(outcome.source.data),
        _LINE.findall(outcome.after),
        _header(old),
        _header(new),
        lineterm=b"\n",
    )
    for piece in pieces:
        if why and piece.startswith(b"@@"):
            piece = _with_reason(piece, outcome, why)
        yield piece if piece.endswith(b"\n") else piece + b"\n" + NO_NEWLINE


def _with_reason(
    header: bytes, outcome: Outcome, why: Mapping[str, Rule], script: Mapping[int, int] = SAME
) -> bytes:
    """The head of a hunk with the rules that are due in its lines.

    `script` are the lines of the script in the place of those of a cell.
    """
    found = _HUNK.match(header)
    if found is None:
        return header
    first = int(found[1])
    lines: Collection[int] = range(first, first + int(found[2] or 1))
    if script:
        lines = {at for line, at in script.items() if line in lines}
    told = reason(outcome, lines, why)
    return b"%b %b\n" % (header.rstrip(b"\n"), told.encode("ascii", "replace")) if told else header


def _by_cell(outcome: Outcome, cells: Cells, why: Mapping[str, Rule]) -> Iterator[bytes]:
    """What changes in each cell of a notebook; it is for people, as no program applies it."""
    assert outcome.migration is not None
    name = outcome.name.replace(os.sep, "/")
    for each in cells.differences(outcome.migration.after):
        pieces = difflib.unified_diff(
            each.before.splitlines(),
            each.after.splitlines(),
            f"{name}:{each.name}" if each.before else "/dev/null",
            f"{name}:{each.name}",
            lineterm="",
        )
        for piece in (f"{piece}\n".encode("utf-8", "replace") for piece in pieces):
            lines = _of_cell(outcome, cells, each.name) if why and piece[:2] == b"@@" else {}
            yield _with_reason(piece, outcome, why, lines) if lines else piece


def _of_cell(outcome: Outcome, cells: Cells, name: str) -> dict[int, int]:
    """The lines of a cell in which something is due, and which lines of the script they are."""
    assert outcome.migration is not None
    due = {at for each in outcome.migration.changing_rules for at, _ in each.places}
    spots = {at: cells.place(at) for at in due}
    return {spot.line: at for at, spot in spots.items() if f"cell {spot.cell}" == name}


def _header(name: str) -> bytes:
    """Names as git writes them: quoted where a sign could be misread, a tab after spaces."""
    raw = os.fsencode(name)
    if safe(name) != name or '"' in name or "\\" in name:
        return b'"' + re.sub(rb'[^\x20-\x7e]|["\\]', _octal, raw) + b'"'
    return raw + b"\t" if b" " in raw else raw


def _octal(found: re.Match[bytes]) -> bytes:
    return b"\\%03o" % found[0][0]


def colored(outcome: Outcome, why: Mapping[str, Rule] = NOTHING) -> Iterator[Line]:
    """The same diff for a terminal."""
    encoding = outcome.source.encoding if outcome.source else "utf-8"
    for piece in unified(outcome, why):
        text = piece.rstrip(b"\r\n").decode(encoding, "backslashreplace").expandtabs(4)
        header = piece.startswith((b"--- ", b"+++ ")) and piece[4:6] in (b"a/", b"b/", b'"a', b'"b')
        yield (Span(text, "heading" if header else _STYLES.get(piece[:1], "")),)
