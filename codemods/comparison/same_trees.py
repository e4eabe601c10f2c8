"""The abstract trees of original and result, side by side: every block is compared in order."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ..program.records import NamedTuple
from .same_order import Pair, Unsound, in_order

if TYPE_CHECKING:
    from typing import TypeGuard  # since Python 3.10

_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
_AWAY = "a statement was inserted away from any place"
_CHANGED = "a statement was changed outside of any place"


class Comparison:
    """The abstract trees of original and result, walked side by side."""

    def __init__(self, places: set[ast.AST], parents: Mapping[ast.AST, ast.AST]) -> None:
        self.places = places
        self.gone: list[ast.AST] = []  # compound places that are not in the result any more
        self.touched = set(places)
        for place in places:
            node = parents.get(place)
            while node is not None and node not in self.touched:
                self.touched.add(node)
                node = parents.get(node)

    def block(self, owner: ast.AST, old: Sequence[ast.AST], new: Sequence[ast.AST]) -> None:
        """Raises Unsound unless `new` is `old` with insertions and rewrites where they may be."""
        flat = list(_flatten(new))

        def step(pair: Pair, start: int) -> tuple[Pair, int | None]:
            last = pair.old == len(old) - 1
            following, again = self._pair(owner, old[pair.old], flat, pair, start)
            if last and following.new < len(flat) and not following.free:
                raise Unsound(line_of(owner), _AWAY)
            return following, again

        begin = Pair(0, 0, owner in self.places)
        if not old and flat and not begin.free:
            raise Unsound(line_of(owner), _AWAY)
        in_order(begin, len(old), step, self.gone)
        if _has_docstring(old) and not _has_docstring(new):
            raise Unsound(line_of(old[0]), "the docstring is not the first statement any more")

    def _pair(
        self, owner: ast.AST, old: ast.AST, flat: Sequence[_Candidate], pair: Pair, start: int
    ) -> tuple[Pair, int | None]:
        """The pair after a statement; where else its partner may be, if it may be elsewhere."""
        if self._is_replaceable(old):
            return Pair(pair.old + 1, pair.new, True), None
        free = old in self.touched or owner in self.places
        at = self._find(old, flat, start)
        if at is None:
            if start > pair.new:  # it is there, at the place that was passed over
                raise Unsound(line_of(old), _CHANGED)
            return Pair(pair.old + 1, pair.new, free), None
        movable = pair.free or old in self.touched
        if at > pair.new and not movable:
            raise Unsound(line_of(old), _AWAY)
        done = at + 1 + _guarded(flat[at])
        return Pair(pair.old + 1, done, free), at + 1 if movable else None

    def _is_replaceable(self, old: ast.AST) -> bool:
        """Whether anything may stand where this simple statement stood, or nothing."""
        whole = old in self.places or (isinstance(old, ast.Expr) and old.value in self.places)
        return whole and not _blocks(old)

    def _find(self, old: ast.AST, flat: Sequence[_Candidate], start: int) -> int | None:
        """What a statement has become; None for a place that is gone, else raises Unsound."""
        error = Unsound(line_of(old), _CHANGED)
        still_there = old not in self.places
        for index in range(start, len(flat)):
            if self._looks_like(old, flat[index]):
                try:
                    self._compare_blocks(old, flat[index].node)
                except Unsound as inside:
                    error = inside
                    still_there |= self._same(_header(old), _header(flat[index].node))
                else:
                    return index
        if not still_there:
            self.gone.append(old)
            return None
        raise error

    def _looks_like(self, old: ast.AST, new: _Candidate) -> bool:
        """Whether a statement may have become `new`, as far as its first line tells."""
        if old in self.places:
            is_alike = type(old) is type(new.node) or _is_defined(old, new.node)
            return is_alike and (not self._may_be_gone(old) or self._has_header_of(old, new.node))
        if new.guarded:
            return False
        if old not in self.touched:
            return self._same(old, new.node)
        if type(old) is not type(new.node):
            return False
        return self._has_header_of(old, new.node)

    def _is_narrowed(self, old: ast.AST, new: ast.AST) -> bool:
        """Whether an `if` that holds nothing but places got one more condition."""
        if not (_is_guard(old) and _is_guard(new) and isinstance(new.test, ast.BoolOp)):
            return False
        first = new.test.values[:-1]
        test = ast.BoolOp(new.test.op, first) if len(first) > 1 else first[0]
        is_and = isinstance(new.test.op, ast.And)
        return is_and and self._same(old.test, test) and all(map(self._is_place, old.body))

    def _may_be_gone(self, old: ast.AST) -> bool:
        """Whether nothing of a compound place has to be left: what looks like it may be another."""
        inner = [statement for field in _blocks(old) for statement in getattr(old, field)]
        return bool(inner) and all(map(self._is_place, inner))

    def _has_header_of(self, old: ast.AST, new: ast.AST) -> bool:
        return self._same(_header(old), _header(new)) or self._is_narrowed(old, new)

    def _is_place(self, statement: ast.AST) -> bool:
        return statement in self.places or self._is_replaceable(statement)

    def _compare_blocks(self, old: ast.AST, new: ast.AST) -> None:
        for field in _blocks(old) if old in self.touched else ():
            self.block(old, getattr(old, field), getattr(new, field, []))

    def _same(self, old: object, new: object) -> bool:
        """Whether two trees are equal but for places; without recursion, however deep they are."""
        waiting = [(old, new)]
        while waiting:
            one, other = waiting.pop()
            if isinstance(one, ast.AST):
                if one in self.places:
                    continue
                if type(one) is not type(other):
                    return False
                waiting += [(getattr(one, f, None), getattr(other, f, None)) for f in one._fields]
            elif isinstance(one, (list, tuple)):
                if not isinstance(other, (list, tuple)) or len(one) != len(other):
                    return False
                waiting += zip(one, other)
            elif type(one) is not type(other) or one != other:
                return False
        return True


class _Candidate(NamedTuple):
    """A statement of the result; `guarded` if it stands in an `if` that may have been inserted."""

    node: ast.AST
    guarded: bool


def _flatten(block: Sequence[ast.AST]) -> Iterator[_Candidate]:
    for node in block:
        yield _Candidate(node, False)
        if _is_guard(node):
            for inner in node.body:
                yield _Candidate(inner, True)


def _is_guard(node: ast.AST) -> TypeGuard[ast.If]:
    """Whether a rewrite may have put this `if` around the statements in it."""
    return isinstance(node, ast.If) and not node.orelse


def _is_defined(old: ast.AST, new: ast.AST) -> bool:
    """Whether the block of a loop may have become that of a function."""
    return isinstance(old, (ast.For, ast.While)) and isinstance(new, ast.FunctionDef)


def _guarded(candidate: _Candidate) -> int:
    """How many candidates follow that stand in this one: what is guarded itself is not opened."""
    node = candidate.node
    return len(node.body) if _is_guard(node) and not candidate.guarded else 0


def _blocks(node: ast.AST) -> list[str]:
    return [f for f in _BLOCKS if isinstance(getattr(node, f, None), list)]


def _header(node: ast.AST) -> list[object]:
    """What a statement says besides its blocks."""
    fields = set(_blocks(node))
    return [getattr(node, field, None) for field in node._fields if field not in fields]


def _has_docstring(block: Sequence[ast.AST]) -> bool:
    first = block[0] if block else None
    value = first.value if isinstance(first, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def line_of(node: ast.AST) -> int:
    """The line of the original to name: the first one where a node has none, like a module."""
    return getattr(node, "lineno", 1)
