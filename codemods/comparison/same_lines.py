"""The lines of original and result, byte for byte, outside of the statements that were touched."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Set

from ..syntax import Source
from .same_order import Unsound
from .same_trees import Comparison, line_of


def compare_lines(
    before: Source, after: Source, comparison: Comparison, commented: Collection[ast.AST] = ()
) -> None:
    """Raises Unsound unless every line outside of touched statements is there, unchanged."""
    covered, shifted = _covered(before, comparison)
    covered |= _comments_above(before, [n for n in commented if n in comparison.places])
    remaining = iter(after.lines)
    last = len(before.lines)
    for number, line in enumerate(before.lines, 1):
        if number in covered or not line.strip():
            continue
        loose = number in shifted or line.lstrip().startswith("#")
        wanted = {_shape(line, loose, number == last)}
        if line.endswith("\r"):  # the end of a blank line may follow now: together they are one
            wanted.add(_shape(f"{line}\n", loose, number == last))
        if not any(_shape(found, loose, number == last) in wanted for found in remaining):
            raise Unsound(number, "a line was changed outside of any place")


def _shape(line: str, loose: bool, last: bool) -> str:
    """What must stay of a line: guarded ones are indented, the last one may get a newline."""
    line = line.lstrip() if loose else line
    return line.rstrip("\r\n") if last else line


def _covered(before: Source, comparison: Comparison) -> tuple[set[int], set[int]]:
    """The lines of touched statements (of blocks only the headers), and of blocks that may move.

    Statements that a `;` and backslashes put on one line with a touched one get lines of their own.
    """
    covered: set[int] = set()
    shifted: set[int] = set()
    gone = set(comparison.gone)
    for node in comparison.touched:
        if not hasattr(node, "lineno"):
            continue
        first = min([node.lineno, *(line_of(d) for d in getattr(node, "decorator_list", []))])
        body = getattr(node, "body", None)
        inner = [_first_line(child) for child in body] if isinstance(body, list) else []
        last = getattr(node, "end_lineno", None) or first
        is_header = inner and node not in gone
        end = max(node.lineno, inner[0] - 1) if is_header else last
        covered |= set(range(first, end + 1))
        covered |= _joined(before, first, end) | _else_of(before, node, comparison.places)
        if inner and node in comparison.places:
            shifted |= set(range(first, last + 1))
    return covered, shifted


def _else_of(before: Source, node: ast.AST, places: Set[ast.AST]) -> set[int]:
    """The line of an `else` that becomes an `elif`: all that it holds are places."""
    if not isinstance(node, ast.If) or not node.orelse or not places >= {*node.orelse}:
        return set()
    between = range((node.body[-1].end_lineno or 0) + 1, _first_line(node.orelse[0]))
    return {n for n in between if before.lines[n - 1].strip() == "else:"}


def _joined(before: Source, first: int, last: int) -> set[int]:
    """The lines that backslashes join with the first and the last one of a statement."""
    found: set[int] = set()
    while first > 1 and _goes_on(before.lines[first - 2]):
        first -= 1
        found.add(first)
    while last < len(before.lines) and _goes_on(before.lines[last - 1]):
        last += 1
        found.add(last)
    return found


def _goes_on(line: str) -> bool:
    return line.rstrip("\r\n").endswith("\\") and not line.lstrip().startswith("#")


def _comments_above(before: Source, nodes: Iterable[ast.AST]) -> set[int]:
    """The lines of the comments that stand right above statements."""
    lines: set[int] = set()
    for node in nodes:
        above = line_of(node) - 1
        while above and before.lines[above - 1].lstrip().startswith("#"):
            lines.add(above)
            above -= 1
    return lines


def _first_line(node: ast.AST) -> int:
    return min([line_of(node), *(line_of(d) for d in getattr(node, "decorator_list", []))])
