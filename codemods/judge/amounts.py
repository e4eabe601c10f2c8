"""How many examples are there, and is that a worker's own? Not which numbers stand in them.

A worker that has cut, kept or read its own number of them takes its own number of steps.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..library import element_counts as table
from ..library.draws import draw, reorders, size_argument
from ..library.names import normal
from ..program.domain import Domain, Operands
from ..program.influences import GIVEN, KEY
from ..program.node_fields import within
from ..program.origins import Kind, Origin
from ..program.program import Program
from ..program.records import NamedTuple
from ..program.sizes import LENGTH, ROUNDS, TURNS
from ..program.things import Box, Library
from .fillings import Fillings
from .own import NOTHING, SAME, Level, Own, Owners

_COUNTING = (ast.Call, ast.Attribute, ast.Subscript)
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

    def __init__(self, program: Program, owners: Owners, fillings: Fillings) -> None:
        self._program, self._owners, self._fillings = program, owners, fillings
        self._domain: Domain[Amount] = Domain(
            *(_NONE, _ALIKE, _join, self._create),
            suppose=self._create,
            at=self._at,
            has_influences=True,
        )

    def of(self, expr: ast.AST | int) -> Own:
        """Whose own the number of elements of something is."""
        return self._program.value(self._domain, expr).own

    def lengths(self, nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.AST, Own]]:
        """Where the program asks how many elements there are of what is a worker's own number."""
        for node in (each for each in nodes if isinstance(each, _COUNTING)):
            counted = self._counted(node)
            own = SAME if counted is None else self.of(counted)
            if own.level is Level.OWN:
                yield node, own

    def _counted(self, node: ast.AST) -> ast.expr | None:
        """`b` of `len(b)`, `b.size` and `b.shape[0]`, the whole shapes of which say more."""
        if isinstance(node, ast.Call):
            names = self._program.names(node.func)
            if node.args and any(map(table.is_length, names)):
                return node.args[0]
            method = getattr(node.func, "attr", "")
            return node.func.value if method in table.LENGTHS and not names else None  # type: ignore[attr-defined]
        if isinstance(node, ast.Attribute):
            is_number = node.attr in table.LENGTHS or self._is_unpacked(node)
            return node.value if is_number else None
        is_first = isinstance(node, ast.Subscript) and _is_zero(node.slice)
        return _shaped(node.value) if is_first else None  # type: ignore[attr-defined]

    def _is_unpacked(self, shape: ast.Attribute) -> bool:
        """`rows, columns = b.shape`: what is drawn of it, the one or the other is."""
        parent = self._fillings.parents.get(shape)
        is_several = isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Tuple)
        return is_several and shape.attr in table.SHAPES

    def _create(self, origin: Origin, operands: Operands[Amount]) -> Amount:
        if isinstance(origin.thing, Box):
            return self._held(origin.thing)
        if origin.kind is Kind.COMPUTED:
            return _computed(origin, operands)
        if isinstance(origin.node, ast.Call) and origin.kind is not Kind.MEMBER:
            return self._call(origin, origin.node, operands)
        return self._part(origin, operands)

    def _held(self, box: Box) -> Amount:
        """By what is put in, and whether it is, where not as much is put in either way."""
        copied = _worst(self._program.value(self._domain, each) for each in self._copied(box))
        return copied if self._is_even(box, set()) else Amount(self._sized(box))

    def _copied(self, box: Box) -> list[ast.expr]:
        """`data` of `list(data)`; how far `range` goes is a number."""
        kind, *rest = box.origin if isinstance(box.origin, tuple) else ("",)
        made = rest[0] if rest and kind != "range" else None
        call = self._program.key(made) if isinstance(made, int) else None
        return call.args if isinstance(call, ast.Call) else []

    def _sized(self, box: Box) -> Own:
        return self._but_order(self._owners.of(box.size))

    def _is_even(self, box: Box, seen: set[Box]) -> bool:
        """Whether no test of a worker's own decides how much is put in, or into what it is of."""
        if box in seen or self._sized(box).level is not Level.OWN:
            return True
        seen.add(box)
        made, places = getattr(box.origin, "generators", ()), self._fillings.of(box)
        if not made and not places:  # nobody sees by what
            return False
        tests = [*(t for each in made for t in each.ifs), *self._fillings.tests(places)]
        rounds = [*(each.iter for each in made), *self._fillings.rounds(places)]
        own = (self._but_order(self._owners.of(test)).level for test in tests)
        return Level.OWN not in own and all(self._goes_even(each, seen) for each in rounds)

    def _goes_even(self, expr: ast.expr, seen: set[Box]) -> bool:
        if self._owners.rounds(expr).level is not Level.OWN:
            return True
        things = [t for node in within(expr) for t in self._program.things(node)]
        boxes = [thing for thing in things if isinstance(thing, Box)]
        return bool(boxes) and all(self._is_even(box, seen) for box in boxes)

    def _generated(self, functions: tuple[ast.AST, ...]) -> Amount:
        """As many as a generator of the program gives."""
        tests = self._fillings.tests(self._fillings.given(functions))
        return _worst(Amount(self._but_order(self._owners.of(test))) for test in tests)

    def _but_order(self, own: Own) -> Own:
        """Whatever order elements are put in, as many are put in."""
        call = own.source
        names = self._program.names(call.func) if isinstance(call, ast.Call) else ()
        return SAME if any(map(reorders, names)) else _but_order(own)

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
        made = self._generated(self._program.functions(call.func).nodes)
        if made.own.level is Level.OWN:
            return made
        whole = _worst(operands.of(origin, "func", "receiver"))
        method = getattr(call.func, "attr", "")
        if method == "repeat" and not call.args and not call.keywords:
            return _ALIKE  # without end: something else counts the steps
        if method in table.COUNTING:
            numbers = (self._but_order(self._owners.of(each)) for each in _given(call))
            return _join(whole, _worst(Amount(own) for own in numbers))
        if method in table.SIFTING:
            return _join(whole, self._results(origin, operands))
        if method in table.JOINING:
            return _worst([whole, *operands.of(origin, GIVEN)])
        made = _worst([whole, given])
        is_kept = method in table.OF_MASKS and made.is_mask
        return made._replace(is_mask=is_kept or _makes_mask(call))

    def _named(self, name: str, call: ast.Call, given: Amount) -> Amount:
        arguments = list(_given(call))
        if table.is_read(name):  # of all files of a folder, in whatever order, as many are read
            return Amount(_but_order(self._valued(arguments).own))
        if name.endswith(table.FROM_GENERATOR) and arguments:
            return self._generated(self._program.functions(arguments[0]).nodes)
        if table.is_made(name):
            return self._valued(arguments)
        if name in table.KEEPING:
            return _join(given, self._valued(arguments[table.KEEPING[name] :][:1]))
        if name in table.PICKING and len(arguments) == 1:
            return self._valued(arguments)
        drawn = draw(name)
        if drawn is not None and drawn.is_of_groups:  # which aren't equally large
            return Amount(self._owners.of(call))
        size = size_argument(name)
        if size is not None:
            return self._valued(_argument(call, *size))
        parts = [k.value for k in call.keywords if k.arg in table.PARTS]
        made = _join(given, self._valued(parts))
        is_kept = table.keeps_mask(name) and not (name in table.PICKING and arguments[1:])
        return made if is_kept else made._replace(is_mask=False)

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


def _is_zero(index: ast.expr) -> bool:
    return isinstance(index, ast.Constant) and index.value == 0


def _shaped(shape: ast.expr) -> ast.expr | None:
    """`b` of `b.shape`, `b.get_shape()`, `tf.shape(b)` and `np.shape(b)`."""
    if isinstance(shape, ast.Attribute):
        return shape.value if shape.attr in table.SHAPES else None
    func = shape.func if isinstance(shape, ast.Call) else None
    if getattr(func, "attr", getattr(func, "id", "")) not in table.SHAPES:
        return None
    return shape.args[0] if shape.args else getattr(func, "value", None)  # type: ignore[attr-defined]


def _makes_mask(call: ast.Call) -> bool:
    """`drawn.astype(bool)`."""
    is_cast = getattr(call.func, "attr", "") == "astype"
    return is_cast and any(getattr(arg, "id", "") == "bool" for arg in call.args)


def _indices(index: ast.expr) -> list[ast.expr]:
    return index.elts if isinstance(index, ast.Tuple) else [index]


def _given(call: ast.Call) -> Iterator[ast.expr]:
    yield from call.args
    yield from (keyword.value for keyword in call.keywords)


def _argument(call: ast.Call, name: str, position: int | None) -> Iterator[ast.expr]:
    yield from (k.value for k in call.keywords if k.arg == name)
    if position is not None:
        yield from call.args[position : position + 1]
