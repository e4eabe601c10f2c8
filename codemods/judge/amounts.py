"""How many examples are there, and is that a worker's own? Not which numbers stand in them.

A worker that has cut, kept or read its own number of them takes its own number of steps.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..library import amounts as table
from ..library.draws import size_argument
from ..library.names import normal
from ..program.domain import Domain, Operands
from ..program.influences import GIVEN, KEY
from ..program.origins import Kind, Origin
from ..program.program import Program
from ..program.records import NamedTuple
from ..program.sizes import LENGTH, ROUNDS, TURNS
from ..program.things import Box, Library
from .own import NOTHING, SAME, Level, Own, Owners

_OPERATORS = (ast.BinOp, ast.AugAssign, ast.UnaryOp, ast.BoolOp)


class Amount(NamedTuple):
    """Whose own the number of elements is, and whether a value says which elements to keep."""

    own: Own
    is_mask: bool = False


_NONE, _ALIKE = Amount(NOTHING), Amount(SAME)


def _join(a: Amount, b: Amount) -> Amount:
    worse = b.own if b.own.level > a.own.level else a.own
    return Amount(worse, a.is_mask or b.is_mask)


def _worst(values: Iterable[Amount]) -> Amount:
    found = _ALIKE
    for value in values:
        found = _join(found, value)
    return found


class Amounts:
    """The numbers of elements of the values of one program."""

    def __init__(self, program: Program, owners: Owners) -> None:
        self._program, self._owners = program, owners
        self._domain: Domain[Amount] = Domain(
            *(_NONE, _ALIKE, _join, self._create),
            suppose=self._create,
            at=self._at,
            has_influences=True,
        )

    def of(self, expr: ast.AST | int) -> Own:
        """Whose own the number of elements of something is."""
        return self._program.value(self._domain, expr).own

    def _create(self, origin: Origin, operands: Operands[Amount]) -> Amount:
        if isinstance(origin.thing, Box):
            return Amount(_but_order(self._owners.of(origin.thing.size)))
        if origin.kind is Kind.COMPUTED:
            return _computed(origin, operands)
        if isinstance(origin.node, ast.Call) and origin.kind is not Kind.MEMBER:
            return self._call(origin, origin.node, operands)
        return self._part(origin, operands)

    def _at(self, key: object, value: Amount) -> Amount:
        """`x[:n]`: by the bounds."""
        parts = _indices(key.slice) if isinstance(key, ast.Subscript) else ()
        slices = [part for part in parts if isinstance(part, ast.Slice)]
        bounds = [b for each in slices for b in (each.lower, each.upper, each.step) if b]
        return _join(value, self._valued(bounds)) if bounds else value

    def _part(self, origin: Origin, operands: Operands[Amount]) -> Amount:
        """`x[keep]` by the mask, `x[numbers]` as many as there are numbers."""
        found = _worst(operands.of(origin))
        for label, n in operands.influences.get(origin, ()):
            picked = operands.at(n)
            by_mask = Amount(self._owners.of(n)) if picked.is_mask else picked
            found = _join(found, by_mask) if label == KEY else found
        return found

    def _call(self, origin: Origin, call: ast.Call, operands: Operands[Amount]) -> Amount:
        labels = [label for label, _ in origin.operands if label != "func"]
        given = _worst(operands.of(origin, *labels)) if labels else _ALIKE
        things = operands.things(origin, "func")
        called = (thing.name for thing in things if isinstance(thing, Library))
        name = normal(origin.name or next(called, ""))
        if name:
            return self._named(name, call, given)
        whole = _worst(operands.of(origin, "func", "receiver"))
        method = getattr(call.func, "attr", "")
        if method in table.COUNTING:
            return _join(whole, self._valued(_given(call)))
        if method in table.SIFTING:
            return _join(whole, self._results(origin, operands))
        if method in table.JOINING:
            return _worst([whole, *operands.of(origin, GIVEN)])
        made = _worst([whole, given])
        return made if method in table.OF_MASKS else made._replace(is_mask=False)

    def _named(self, name: str, call: ast.Call, given: Amount) -> Amount:
        arguments = list(_given(call))
        if table.is_read(name):  # of all files of a folder, in whatever order, as many are read
            return Amount(_but_order(self._valued(arguments).own))
        if table.is_made(name):
            return self._valued(arguments)
        if name in table.KEEPING:
            return _join(given, self._valued(arguments[table.KEEPING[name] :][:1]))
        if name in table.PICKING and len(arguments) == 1:
            return self._valued(arguments)
        size = size_argument(name)
        if size is not None:
            return self._valued(_argument(call, *size))
        parts = [k.value for k in call.keywords if k.arg in table.PARTS]
        made = _join(given, self._valued(parts))
        return made if table.keeps_mask(name) else made._replace(is_mask=False)

    def _results(self, origin: Origin, operands: Operands[Amount]) -> Amount:
        """By what a function says of each element."""
        found = [n for label, n in operands.influences.get(origin, ()) if label == GIVEN]
        return _worst(Amount(self._owners.of(n)) for n in found)

    def _valued(self, exprs: Iterable[ast.expr]) -> Amount:
        return _worst(Amount(self._owners.of(each)) for each in exprs)


def _computed(origin: Origin, operands: Operands[Amount]) -> Amount:
    if origin.name in (LENGTH, ROUNDS, TURNS):
        return _ALIKE
    found = _worst(operands.of(origin))
    is_kept = isinstance(origin.node, _OPERATORS) and found.is_mask
    return found._replace(is_mask=is_kept or isinstance(origin.node, ast.Compare))


def _but_order(own: Own) -> Own:
    """Whatever order elements are put in, as many are put in."""
    return SAME if own.kind == "order" or own.level is not Level.OWN else own


def _indices(index: ast.expr) -> list[ast.expr]:
    return index.elts if isinstance(index, ast.Tuple) else [index]


def _given(call: ast.Call) -> Iterator[ast.expr]:
    yield from call.args
    yield from (keyword.value for keyword in call.keywords)


def _argument(call: ast.Call, name: str, position: int | None) -> Iterator[ast.expr]:
    yield from (k.value for k in call.keywords if k.arg == name)
    if position is not None:
        yield from call.args[position : position + 1]
