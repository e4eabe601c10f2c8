"""Promises 1 and 2, checked on texts and abstract trees only, whatever the edits believe they did.

A statement of the original is *touched* if a place stands in it. Every other statement must occur
in the result, in order, in the same block, with the same meaning, and its lines with the same
bytes. What the result has beyond that must stand beside a touched statement or in a block whose
owner is a place.
"""

from __future__ import annotations

import ast
import builtins
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .model import UnsoundResult
from .syntax import Source

if TYPE_CHECKING:
    from typing import TypeGuard  # since Python 3.10

BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


class Unsound(Exception):
    """What is wrong, and at which line of the original."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line, self.message = line, message


def check(
    before: Source,
    steps: Sequence[tuple[str, str, Iterable[ast.AST]]],
    parents: Mapping[ast.AST, ast.AST],
    name: str,
) -> None:
    """Check the texts after each rule (code, text, places); raises UnsoundResult.

    Every text must be a program; the comparison is made with the last one, and with each in turn
    only to name the rule that did it.
    """
    after = [(code, _parse(code, text, name)) for code, text, _ in steps]
    places = [set(places) for _, _, places in steps]
    everything: set[ast.AST] = set().union(*places)
    try:
        compare(before, after[-1][1], everything, parents)
    except Unsound as unsound:
        for index, (code, source) in enumerate(after):
            try:
                compare(before, source, set().union(*places[: index + 1]), parents)
            except Unsound as first:
                raise UnsoundResult(code, first.line, first.message) from None
        raise UnsoundResult(after[-1][0], unsound.line, unsound.message) from None


def _parse(code: str, text: str, name: str) -> Source:
    """Compiled too: a second `global` is an error that no parser sees."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(text.lstrip("\ufeff"), name)
            compile(module, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise UnsoundResult(code, line, f"the result is no valid program: {error}") from error
    return Source(text, module)


def compare(
    before: Source, after: Source, places: set[ast.AST], parents: Mapping[ast.AST, ast.AST]
) -> None:
    """Raises Unsound unless the result differs from the original at these places only."""
    unbound = _unbound(after.module) - _unbound(before.module)
    if unbound:
        raise Unsound(1, f"nothing binds {', '.join(sorted(unbound))}")
    comparison = _Comparison(places, parents)
    comparison.block(before.module, before.module.body, after.module.body)
    _compare_lines(before, after, comparison)


def _unbound(module: ast.Module) -> set[str]:
    """Names that are read in a module and bound nowhere in it, in whatever scope."""
    read: set[str] = set()
    bound = set(dir(builtins))
    for node in ast.walk(module):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).partition(".")[0])
        elif not isinstance(node, ast.keyword):  # definitions, parameters, `except … as`, patterns
            bound |= {getattr(node, field, None) or "" for field in ("arg", "name", "rest")}
    return read - bound


class _Comparison:
    """The abstract trees of original and result, walked side by side."""

    def __init__(self, places: set[ast.AST], parents: Mapping[ast.AST, ast.AST]) -> None:
        self.places = places
        self.gone: set[ast.AST] = set()  # compound places that are not in the result any more
        self.touched = set(places)
        for place in places:
            node = parents.get(place)
            while node is not None and node not in self.touched:
                self.touched.add(node)
                node = parents.get(node)

    def block(self, owner: ast.AST, old: Sequence[ast.AST], new: Sequence[ast.AST]) -> None:
        """Raises Unsound unless `new` is `old` with insertions and rewrites where they may be."""
        flat = list(_flatten(new))
        free = owner in self.places
        done = 0
        for statement in old:
            touched = statement in self.touched
            if self._is_replaceable(statement):
                free = True
                continue
            at = self._find(statement, flat, done)
            if at is not None:
                if at > done and not (free or touched):
                    raise Unsound(_line(statement), "a statement was inserted away from any place")
                done = at + 1 + _guarded(flat[at].node)
            free = touched or owner in self.places
        if done < len(flat) and not free:
            raise Unsound(_line(owner), "a statement was inserted away from any place")
        if _has_docstring(old) and not _has_docstring(new):
            raise Unsound(_line(old[0]), "the docstring is not the first statement any more")

    def _is_replaceable(self, old: ast.AST) -> bool:
        """Whether anything may stand where this simple statement stood, or nothing."""
        whole = old in self.places or (isinstance(old, ast.Expr) and old.value in self.places)
        return whole and not _blocks(old)

    def _find(self, old: ast.AST, flat: Sequence[_Candidate], start: int) -> int | None:
        """What a statement has become; None for a place that is gone, else raises Unsound."""
        error = Unsound(_line(old), "a statement was changed outside of any place")
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
            self.gone.add(old)
            return None
        raise error

    def _looks_like(self, old: ast.AST, new: _Candidate) -> bool:
        """Whether a statement may have become `new`, as far as its first line tells."""
        if old in self.places:
            is_alike = type(old) is type(new.node)
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
            self.block(old, getattr(old, field), getattr(new, field))

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


def _guarded(node: ast.AST) -> int:
    """How many candidates follow that stand in this one."""
    return len(node.body) if _is_guard(node) else 0


def _blocks(node: ast.AST) -> list[str]:
    return [f for f in BLOCKS if isinstance(getattr(node, f, None), list)]


def _header(node: ast.AST) -> list[object]:
    """What a statement says besides its blocks."""
    fields = set(_blocks(node))
    return [getattr(node, field, None) for field in node._fields if field not in fields]


def _has_docstring(block: Sequence[ast.AST]) -> bool:
    first = block[0] if block else None
    value = first.value if isinstance(first, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 1)


def _compare_lines(before: Source, after: Source, comparison: _Comparison) -> None:
    """Raises Unsound unless every line outside of touched statements is there, unchanged."""
    covered, shifted = _covered(comparison)
    remaining = iter(after.lines)
    last = len(before.lines)
    for number, line in enumerate(before.lines, 1):
        if number in covered or not line.strip():
            continue
        loose = number in shifted or line.lstrip().startswith("#")
        wanted = _shape(line, loose, number == last)
        if not any(_shape(found, loose, number == last) == wanted for found in remaining):
            raise Unsound(number, "a line was changed outside of any place")


def _shape(line: str, loose: bool, last: bool) -> str:
    """What must stay of a line: guarded ones are indented, the last one may get a newline."""
    line = line.lstrip() if loose else line
    return line.rstrip("\r\n") if last else line


def _covered(comparison: _Comparison) -> tuple[set[int], set[int]]:
    """The lines of touched statements (of blocks only the headers), and of blocks that may move."""
    covered: set[int] = set()
    shifted: set[int] = set()
    for node in comparison.touched:
        if not hasattr(node, "lineno"):
            continue
        first = min([node.lineno, *(_line(d) for d in getattr(node, "decorator_list", []))])
        body = getattr(node, "body", None)
        inner = [_first_line(child) for child in body] if isinstance(body, list) else []
        last = getattr(node, "end_lineno", None) or first
        is_header = inner and node not in comparison.gone
        end = max(node.lineno, inner[0] - 1) if is_header else last
        covered |= set(range(first, end + 1))
        if inner and node in comparison.places:
            shifted |= set(range(first, last + 1))
    return covered, shifted


def _first_line(node: ast.AST) -> int:
    return min([_line(node), *(_line(d) for d in getattr(node, "decorator_list", []))])
