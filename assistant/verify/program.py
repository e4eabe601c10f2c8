"""The user's program, only read: the line that a record names, nothing outside of its folder."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_PLACE = re.compile(r"(.+):(\d{1,9})")


class Place(NamedTuple):
    """A line of a file, relative to the folder of the script."""

    file: str
    line: int


def place(where: str | None) -> Place | None:
    """`train.py:41`, as records name it."""
    match = _PLACE.fullmatch(where or "")
    return Place(match[1], int(match[2])) if match else None


def source(root: Path, file: str) -> str:
    """The text of a file below `root`; empty where there is none, or it can't be read."""
    try:
        path = (root / file).resolve()
        return path.read_text(encoding="utf-8", errors="replace") if root in path.parents else ""
    except (OSError, ValueError):
        return ""


def line_at(root: Path, where: str | None) -> str:
    """The line at a place; empty where there is none."""
    found = place(where)
    lines = source(root, found.file).splitlines() if found else []
    return lines[found.line - 1] if found and 0 < found.line <= len(lines) else ""


def calls_at(root: Path, where: str | None) -> frozenset[str]:
    """The last names of what is called at a line, or in a statement that spans it."""
    found = place(where)
    nodes = ast.walk(tree(root, found.file)) if found else ()
    calls = (node.func for node in nodes if isinstance(node, ast.Call) and _spans(node, found))
    return frozenset(str(getattr(f, "attr", getattr(f, "id", ""))) for f in calls)


def _spans(node: ast.Call, at: Place | None) -> bool:
    return at is not None and node.lineno <= at.line <= (node.end_lineno or node.lineno)


RATES = ("learning_rate", "lr")


def sets_rate(root: Path, file: str) -> bool:
    """Whether a file's code gives an optimizer's rate a value: `o.lr = …`, `o.lr.assign(…)`."""
    return any(_sets_rate(node) for node in ast.walk(tree(root, file)))


def _sets_rate(node: ast.AST) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        changes = node.func.attr.startswith(("assign", "set_value"))
        return changes and any(map(_is_rate, (node.func.value, *node.args[:1])))
    return _is_rate(node) and isinstance(getattr(node, "ctx", None), ast.Store)


def _is_rate(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in RATES


def tree(root: Path, file: str) -> ast.Module:
    """A file's code; nothing where it can't be parsed."""
    try:
        return ast.parse(source(root, file))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def names(root: Path, file: str) -> frozenset[str]:
    """Every name of a file's code: of variables, attributes, arguments, imports and functions."""
    return frozenset(name for node in ast.walk(tree(root, file)) for name in _names(node))


def _names(node: ast.AST) -> Iterator[str]:
    for field in ("id", "attr", "arg", "name", "module"):
        value = getattr(node, field, None)
        yield from value.split(".") if isinstance(value, str) else ()
