"""What a path is made of, segment by segment, and whether two may be one file or its folder.

A segment is a text, or what else the program computes there; two that are computed alike are the
same. Of two paths that are not known to have anything in common it is assumed that they are two.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable, Iterator
from typing import Union

from ..library.file_effects import JOINS, SAME_PATH
from ..program.program import Program
from ..program.records import NamedTuple

_DEEPEST = 12  # names for names, and calls in calls
_ROOT = "/"
_WILD = re.compile(r"\*+|\?")  # in patterns of files, which match any that are like it


class Unknown(NamedTuple):
    """A segment that is computed: what it begins and ends with, and by what it is computed."""

    start: str
    end: str
    key: Hashable


Segment = Union[str, Unknown]
Path = tuple[Segment, ...]
Piece = Union[str, tuple[Hashable]]


class Paths:
    """The paths of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def of(self, expr: ast.AST) -> Path:
        """The path that an expression stands for."""
        return tuple(segments(*self.pieces(expr)))

    def pieces(self, expr: ast.AST, depth: int = _DEEPEST) -> Iterator[Piece]:
        """The texts and other values that a path is put together of."""
        expr = self._made(expr)
        if isinstance(expr, ast.Constant) and isinstance(expr.value, str):
            yield expr.value
        elif depth and isinstance(expr, ast.JoinedStr):
            for part in expr.values:
                value = part.value if isinstance(part, ast.FormattedValue) else part
                yield from self.pieces(value, depth - 1)
        elif depth and isinstance(expr, ast.BinOp) and isinstance(expr.op, (ast.Add, ast.Div)):
            yield from self.pieces(expr.left, depth - 1)
            yield from ["/"] if isinstance(expr.op, ast.Div) else []
            yield from self.pieces(expr.right, depth - 1)
        elif depth and isinstance(expr, ast.Call) and self._is(expr, JOINS):
            for number, part in enumerate(expr.args):
                yield from ["/"] if number else []
                yield from self.pieces(part, depth - 1)
        elif depth and isinstance(expr, ast.Call) and self._is(expr, SAME_PATH) and expr.args:
            yield from self.pieces(expr.args[0], depth - 1)
        else:
            yield (self._key(expr, depth),)

    def _made(self, expr: ast.AST) -> ast.AST:
        """What makes the value of a name, where one thing does."""
        is_name = isinstance(expr, (ast.Name, ast.Attribute, ast.Subscript))
        made = self._program.origins(expr).only if is_name else None
        return expr if made is None else made

    def _is(self, call: ast.Call, names: frozenset[str]) -> bool:
        return any(name in names for name in self._program.names(call.func))

    def _key(self, expr: ast.AST, depth: int) -> Hashable:
        """By what a value is computed: two of one key are one value, for all that is seen."""
        if isinstance(expr, (ast.Name, ast.Attribute, ast.Subscript, ast.arg)) and depth:
            found = self._program.origins(expr)
            nodes = frozenset((*found.nodes, *found.unknown)) - {expr}
            if nodes and len(nodes) == len(found.items) + len(found.unknown):
                return nodes
        if isinstance(expr, ast.Attribute) and depth:
            return (self._key(self._made(expr.value), depth - 1), expr.attr)
        return ast.dump(expr) if isinstance(expr, ast.Name) else expr


def overlap(a: Path, b: Path) -> bool:
    """Whether two paths may be one, or one the folder in which the other one lies."""
    is_seen = False
    for one, other in zip(a, b):
        if one == other:
            is_seen = True
        elif not _may_be_one(one, other) or not (is_seen or _says_something(one, other)):
            return False
    return is_seen or (bool(a) and bool(b) and _says_something(a[0], b[0]))


def _may_be_one(one: Segment, other: Segment) -> bool:
    starts = [s if isinstance(s, str) else s.start for s in (one, other)]
    ends = [s if isinstance(s, str) else s.end for s in (one, other)]
    if isinstance(one, str) and isinstance(other, str):
        return False
    return (starts[0].startswith(starts[1]) or starts[1].startswith(starts[0])) and (
        ends[0].endswith(ends[1]) or ends[1].endswith(ends[0])
    )


def _says_something(one: Segment, other: Segment) -> bool:
    """Whether the texts of two segments have something in common, not only nothing against it."""
    both = [s if isinstance(s, str) else s.start for s in (one, other)]
    return bool(both[0]) and bool(both[1]) and one != ".." and other != ".."


def text(path: Path) -> str:
    """The path as far as it is known from its beginning."""
    known: list[str] = []
    for segment in path:
        if not isinstance(segment, str):
            break
        known.append(segment)
    return "/".join(known).replace("//", "/")


def segments(*pieces: Piece) -> Iterator[Segment]:
    """The segments of a path that is put together of texts and other values."""
    current: list[Piece] = []
    for number, piece in enumerate(pieces):
        if not isinstance(piece, str):
            current.append(piece)
            continue
        first, *others = piece.split("/")
        if not number and not first and others:
            yield _ROOT
        current.append(first)
        for part in others:
            yield from _segment(current)
            current = [part]
    yield from _segment(current)


def _segment(pieces: list[Piece]) -> Iterator[Segment]:
    known = [piece for piece in pieces if piece != ""]
    if all(isinstance(piece, str) for piece in known):
        name = "".join(known)  # type: ignore[arg-type]
        start, *rest = _WILD.split(name)
        if rest:
            yield Unknown(start, rest[-1], name)
        elif name not in ("", "."):
            yield name
        return
    start = known[0] if isinstance(known[0], str) else ""
    end = known[-1] if isinstance(known[-1], str) else ""
    yield Unknown(start, end, tuple(known))
