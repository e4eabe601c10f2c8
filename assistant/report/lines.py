"""What every report is made of: lines of spans, each a text and the role it plays."""

from __future__ import annotations

from collections.abc import Iterator

from distify.codemods.program.records import NamedTuple


class Span(NamedTuple):
    """A piece of text; `style` names its role, and only the terminal knows the colour."""

    text: str
    style: str = ""


Line = tuple[Span, ...]
EMPTY: Line = ()


def plural(count: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def wrapped(first: Line, text: str, width: int | None, style: str = "") -> Iterator[Line]:
    """The text after `first`, its further lines indented to the same column."""
    indent = sum(len(span.text) for span in first)
    pieces = [" ".join(text.split())]
    if width:
        from textwrap import wrap

        pieces = wrap(text, max(width - indent, 30), break_on_hyphens=False)
    yield (*first, Span(pieces[0] if pieces else "", style))
    for piece in pieces[1:]:
        yield (Span(" " * indent), Span(piece, style))


def places(positions: tuple[tuple[int, int], ...]) -> str:
    """`line 3`, `lines 3, 7 and 9`; long lists are cut."""
    lines = sorted({line for line, _ in positions})
    if len(lines) == 1:
        return f"line {lines[0]}"
    if len(lines) > 8:
        return f"lines {', '.join(map(str, lines[:7]))} and {len(lines) - 7} more"
    return f"lines {', '.join(map(str, lines[:-1]))} and {lines[-1]}" if lines else ""


def of_error(error: Exception) -> list[Line]:
    """What went wrong; the first line is ours, others may be git's words, where a tab indents."""
    first, *others = str(error).splitlines() or [type(error).__name__]
    return [(Span("error: ", "blocked"), Span(first)), *((Span(o.expandtabs()),) for o in others)]
