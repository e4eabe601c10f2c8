"""Where a count of steps meets a number that doesn't count alike: `step > 1000`, `step / total`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...library.step_counts import CHOOSING, COMPARING, OF_FRACTIONS, POWERS
from ...program.program import Program
from ...program.records import NamedTuple
from .units import FREE, SHARE, WHOLE, Clash, Unit, Units, Way, clash, is_corrected

_MEETING = (ast.Add, ast.Sub, ast.Mod, ast.FloorDiv)  # sums, rhythms, and turns of so many
_FRACTION = Unit(WHOLE)


class Meeting(NamedTuple):
    """A count of steps, and the number that it is compared with or added to, if any."""

    place: ast.AST
    counter: ast.expr
    number: ast.expr | None = None
    is_compared: bool = False
    goes_round: bool = False  # what a rate is reckoned from: `step % 1000 / 1000`
    clash: Clash = Clash.UNLIKE

    @property
    def is_asked(self) -> bool:
        """Whether they are compared, as they are or in a rhythm."""
        return self.is_compared or self.is_rhythm

    @property
    def is_rhythm(self) -> bool:
        """Whether it is asked for each so many steps: `step % 100`."""
        return isinstance(self.place, ast.BinOp) and isinstance(self.place.op, ast.Mod)


class Meetings:
    """The places in a program at which units don't go together."""

    def __init__(self, program: Program, units: Units) -> None:
        self._program, self._units = program, units

    def unlike(self, nodes: Iterable[ast.AST]) -> Iterator[Meeting]:
        """Those among some nodes."""
        asked = list(nodes)
        corrected = {side for n in asked if is_corrected(n) for side in (n.left, n.right)}  # type: ignore[attr-defined]
        unknown = (each for each in asked if not self._units.knows(each))  # a count as such
        for node in (each for each in unknown if each not in corrected):
            for one, other in self._pairs(node):
                found = clash(self._units.of(one), self._units.of(other))
                if found is not None:
                    yield self._met(node, one, other)._replace(clash=found)
            for each in self._fractions(node):
                found = clash(self._units.of(each), _FRACTION)
                if found is not None:
                    yield Meeting(node, each, clash=found)

    def _met(self, node: ast.AST, one: ast.expr, other: ast.expr) -> Meeting:
        """The count is what has an Nth, or what has more to do with one."""
        a, b = self._units.of(one), self._units.of(other)
        is_first = (a.way, a.powers == SHARE) >= (b.way, b.powers == SHARE)
        met = (one, other) if is_first else (other, one)
        is_compared = isinstance(node, ast.Compare)
        return Meeting(node, *met, is_compared or self._is_called(node, COMPARING))

    def _pairs(self, node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
        if isinstance(node, ast.BinOp) and isinstance(node.op, _MEETING):
            yield node.left, node.right
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for one, op, other in zip(sides, node.ops, sides[1:]):
                if isinstance(op, (ast.In, ast.NotIn)):
                    yield from ((one, each) for each in self._elements(other))
                elif not isinstance(op, (ast.Is, ast.IsNot)):
                    yield one, other
        elif isinstance(node, ast.Call) and self._is_called(node, CHOOSING | COMPARING):
            given = node.args[-2:]
            yield from zip(given, given[1:])

    def _elements(self, container: ast.expr) -> list[ast.expr]:
        """The numbers in a list that is written out, here or under a name; the keys of a table."""
        made = self._program.origins(container)
        found = [e for node in made.nodes for e in elements(node)] if made.complete else []
        return elements(container) or found or [container]

    def _is_called(self, node: ast.AST, words: frozenset[str]) -> bool:
        """Whether it calls what has such a last name outside of the program."""
        names = self._names(node) if isinstance(node, ast.Call) else ()
        return bool(names) and all(name.rpartition(".")[2] in words for name in names)

    def _fractions(self, node: ast.AST) -> Iterator[ast.expr]:
        """What has to be a number without a unit."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            yield node.right
        elif isinstance(node, ast.Call):
            names = self._names(node)
            if names and all(name in OF_FRACTIONS for name in names):
                yield from node.args[:1]
            if names and all(name in POWERS for name in names):
                yield from node.args[1:2]

    def _names(self, call: ast.Call) -> tuple[str, ...]:
        return self._program.names(call.func)


def elements(node: ast.AST) -> list[ast.expr]:
    """What stands in a list, or the keys of a table."""
    if isinstance(node, ast.Dict):
        return [key for key in node.keys if key is not None]
    return node.elts if isinstance(node, (ast.List, ast.Tuple, ast.Set)) else []


def roots(
    program: Program, units: Units, count: ast.expr, seen: frozenset[ast.expr] = frozenset()
) -> list[ast.expr]:
    """What counts in an expression that is reckoned from it: `step` of `(step + 1) / total`."""
    parts = [] if count in seen else _parts(program, units, count)
    counting = [each for each in parts if units.of(each).counts]
    if units.of(count).way is Way.COUNT and not is_turn(count):
        others = (each for each in parts if each not in counting)
        if len(counting) != 1 or not all(_is_one_more(units, each) for each in others):
            return [count]
    found = (roots(program, units, each, seen | {count}) for each in counting)
    return [root for each in found for root in each] or [count]


def is_turn(expr: ast.AST) -> bool:
    """`step % 1000`, whose count is in it."""
    return isinstance(expr, ast.BinOp) and isinstance(expr.op, ast.Mod)


def _is_one_more(units: Units, part: ast.expr) -> bool:
    return units.of(part).powers == FREE


def _parts(program: Program, units: Units, expr: ast.expr) -> list[ast.expr]:
    """What it is reckoned from, in its own place or where a name gets its value."""
    if isinstance(expr, ast.BinOp):
        return [expr.left, expr.right]
    if isinstance(expr, ast.UnaryOp):
        return [expr.operand]
    if isinstance(expr, ast.Name) and units.of(expr).way is Way.RECKONED:
        made = program.origins(expr)
        nodes = [each for each in made.nodes if isinstance(each, (ast.BinOp, ast.Call))]
        return list(nodes) if made.complete and len(made.nodes) == 1 else []
    is_reckoned = isinstance(expr, ast.Call) and units.of(expr).way is Way.RECKONED
    is_outside = is_reckoned and bool(program.names(expr.func))  # type: ignore[attr-defined]
    return list(expr.args) if is_outside else []  # type: ignore[attr-defined]
