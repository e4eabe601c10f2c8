"""How a count goes with the number N of workers, at the same point of the training: a domain.

Units, as in physics. Where workers share out the data, each takes an Nth of the steps: what counts
them is an Nth of what one device had counted (the power -1), and so is the length of a share. A
number that is written out is that of one device (0); divided by `hvd.size()` it has -1, and a count
that is multiplied by it has 0 again. What is compared, added or subtracted needs one power.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from enum import Enum, IntEnum
from itertools import product
from typing import Any

from ...library.agreement import is_size
from ...library.names import normal
from ...library.step_counts import (
    CARRYING,
    CHOOSING,
    COMPARING,
    INVERSE_ROOTS,
    LENGTHS,
    OF_FRACTIONS,
    POWERS,
    PRODUCTS,
    QUOTIENTS,
    ROOTS,
    SIZES,
)
from ...program.domain import Domain, Operands
from ...program.origins import Kind, Origin
from ...program.program import Program
from ...program.records import NamedTuple
from ...program.things import Library

Powers = frozenset[float]
FREE: Powers = frozenset()  # 0, 1 and what has no unit: it goes with all
WHOLE: Powers = frozenset({0.0})  # as on one device
SHARE: Powers = frozenset({-1.0})  # an Nth of that
_MOST = 3.0  # and its negative: what a circle multiplies ends there


class Way(IntEnum):
    """Whether a number is a count of steps, or more or less than one, or reckoned from one."""

    NOTHING = 0  # gets there
    OTHER = 1
    COUNT = 2
    RECKONED = 3


class Clash(Enum):
    """What is wrong with a count of steps and a number that it meets."""

    UNLIKE = "they certainly have unlike units"
    UNCLEAR = "one of them goes with N in several ways, and nobody can tell which"


class Unit(NamedTuple):
    """What is known of a number: how it goes with N, and what it has to do with a count of steps.

    `followed`: the powers of N on the ways to it that can be followed. `is_open`: there are others,
    which say nothing where one is followed; a number of which none is, is as on one device.
    """

    followed: Powers = FREE
    way: Way = Way.OTHER
    is_open: bool = False

    @property
    def powers(self) -> Powers:
        """The powers of N on the ways to it."""
        return WHOLE if self.is_open and not self.followed else self.followed

    @property
    def counts(self) -> bool:
        """Whether it has to do with a count of steps."""
        return self.way >= Way.COUNT

    @property
    def power(self) -> float | None:
        """The one power that it has; None where there are several, or none."""
        return next(iter(self.powers)) if len(self.powers) == 1 else None

    @property
    def alone(self) -> Clash:
        """What is wrong where something goes by it as such."""
        return Clash.UNCLEAR if len(self.powers) > 1 else Clash.UNLIKE

    @property
    def reckoned(self) -> Unit:
        """What is computed from it, with its powers."""
        return self._replace(way=Way.RECKONED) if self.counts else self


_SUMS = (ast.AugAssign, ast.BinOp)
_NOTHING = Unit(FREE, Way.NOTHING)
_FREE = Unit()
_PLAIN = Unit(WHOLE)
_UNFOLLOWED = Unit(is_open=True)
_SHARED = Unit(SHARE)


class Counted(NamedTuple):
    """What is known of a program beside its text.

    `counters`: what counts steps, or adds to what does, with its unit. `is_share`: whether a length
    (`len(x)`, `x.shape[0]`) is that of a worker's share.
    """

    counters: Mapping[ast.AST, Unit]
    is_share: Callable[[ast.expr], bool]

    def known(self, node: object) -> Unit | None:
        """The unit of a count or of a length; None of all else."""
        if not isinstance(node, (ast.expr, ast.arg, ast.AugAssign)):
            return None
        if node in self.counters:
            return self.counters[node]
        if not is_length(node):
            return None
        return _SHARED if self.is_share(node) else _PLAIN  # type: ignore[arg-type]


def is_length(node: ast.AST) -> bool:
    """`len(x)`, `x.shape[0]`, `data.cardinality()`."""
    if isinstance(node, ast.Call):
        func = node.func
        return getattr(func, "id", "") in LENGTHS or getattr(func, "attr", "") in SIZES
    if not isinstance(node, ast.Subscript) or getattr(node.value, "attr", "") != "shape":
        return False
    return isinstance(node.slice, ast.Constant) and node.slice.value == 0


def is_corrected(node: ast.AST) -> bool:
    """`(1 + step) / (10 + step)`: how far a mean is to be trusted, which no other count decides."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
        return False
    sides = [_without_number(side) for side in (node.left, node.right)]
    return None not in sides and sides[0] == sides[1]


def _without_number(side: ast.expr) -> str | None:
    """`step` of `step + 10`."""
    if not isinstance(side, ast.BinOp) or not isinstance(side.op, ast.Add):
        return None
    parts = [part for part in (side.left, side.right) if not isinstance(part, ast.Constant)]
    return ast.unparse(parts[0]) if len(parts) == 1 else None


def _join(a: Unit, b: Unit) -> Unit:
    return Unit(a.followed | b.followed, max(a.way, b.way), a.is_open or b.is_open)


def _all(values: list[Unit]) -> Unit:
    found = _NOTHING
    for value in values:
        found = _join(found, value)
    return found


class Units:
    """The units of the values of one program."""

    def __init__(self, program: Program, counted: Counted) -> None:
        self._program, self._counted = program, counted
        self._domain: Domain[Unit] = Domain(
            *(_NOTHING, _UNFOLLOWED, _join, self._create), suppose=self._create, at=self._at
        )

    def of(self, expr: ast.AST) -> Unit:
        """The unit of a number; what nobody follows is as on one device."""
        return self._program.value(self._domain, expr)

    def knows(self, key: object) -> bool:
        """Whether it is a count or a length, of which is known whose it is."""
        return self._counted.known(key) is not None

    def _at(self, key: object, value: Unit) -> Unit:
        known = self._counted.known(key)
        if known is None:
            return value
        return _join(known, value) if isinstance(key, _SUMS) else known

    def _create(self, origin: Origin, operands: Operands[Unit]) -> Unit:
        node: Any = origin.node
        known = self._counted.known(node)
        if known is not None:
            return _from(known, node, operands.of(origin))
        if origin.kind is Kind.CONSTANT:
            return _constant(origin.name)
        if origin.kind is Kind.COMPUTED:
            return self._computed(origin, operands)
        if origin.kind in (Kind.MEMBER, Kind.UNKNOWN) and not isinstance(node, ast.Call):
            found = _all(operands.of(origin, "of"))
            return found if found.powers or found.counts else _UNFOLLOWED  # what is in an object
        if isinstance(origin.thing, Library):  # `FLAGS.steps`, `np.pi`
            return Unit(frozenset({1.0})) if is_size(normal(origin.thing.name)) else _PLAIN
        if isinstance(node, ast.Call):
            return self._call(origin, node, operands)
        return _all(operands.of(origin)) if origin.operands else _FREE

    def _computed(self, origin: Origin, operands: Operands[Unit]) -> Unit:
        node, values = origin.node, operands.of(origin)
        if node is not None and is_corrected(node):
            return _FREE
        if origin.name == "counter" and isinstance(node, ast.Call):
            return _all([self.of(each) for each in node.args[:2]])  # of a loop without steps
        if isinstance(node, (ast.BinOp, ast.AugAssign)) and len(values) == 2:
            by = _written(node.right) if isinstance(node, ast.BinOp) else None
            if isinstance(node.op, ast.Pow) and by is not None:
                return _raised(values[0], by)
            return _reckoned(node.op, *values)
        if isinstance(node, (ast.Compare, ast.BoolOp)):
            return _FREE
        return _all(values)

    def _call(self, origin: Origin, call: ast.Call, operands: Operands[Unit]) -> Unit:
        names = [t.name for t in operands.things(origin, "func") if isinstance(t, Library)]
        name = normal(origin.name or (names[0] if len(names) == 1 else ""))
        if is_size(name):
            return Unit(frozenset({1.0}))
        first, second = operands.of(origin, 0), operands.of(origin, 1)
        if first and name in ROOTS | INVERSE_ROOTS:
            return _raised(first[0], 0.5 if name in ROOTS else -0.5)
        if first and second and name in PRODUCTS | QUOTIENTS:
            return _reckoned(ast.Mult() if name in PRODUCTS else ast.Div(), first[0], second[0])
        if first and name in OF_FRACTIONS | POWERS:
            return Unit(FREE, _all([*first, *second]).reckoned.way)
        last = name.rpartition(".")[2] or getattr(call.func, "attr", "")
        if last in COMPARING:
            return _FREE
        if last in CHOOSING:
            labels = [label for label, _ in origin.operands if label not in ("func", "receiver")]
            return _all(operands.of(origin, *labels)) if labels else _FREE
        if last in CARRYING:
            return first[0] if first else _all(operands.of(origin, "receiver"))
        return _UNFOLLOWED


def _from(count: Unit, node: ast.AST, values: list[Unit]) -> Unit:
    """A count that is added to, `left -= 1`, from what it begins with."""
    if not isinstance(node, _SUMS) or len(values) != 2:
        return count
    is_behind = isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant)
    return _join(count, values[is_behind])


def _written(number: ast.expr) -> float | None:
    """The exponent of `step ** -0.5`, where it is written out."""
    is_negative = isinstance(number, ast.UnaryOp) and isinstance(number.op, ast.USub)
    node = number.operand if is_negative else number  # type: ignore[attr-defined]
    value = node.value if isinstance(node, ast.Constant) else None
    if not isinstance(value, (int, float)):
        return None
    return -value if is_negative else value


def _constant(value: object) -> Unit:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return _PLAIN if is_number and abs(value) > 1 else _FREE  # type: ignore[arg-type]


def _reckoned(op: ast.operator, left: Unit, right: Unit) -> Unit:
    way = max(left.reckoned.way, right.reckoned.way)
    if isinstance(op, ast.Mult):
        return _multiplied(left, right, 1)
    if isinstance(op, (ast.Div, ast.FloorDiv)):
        return _multiplied(left, right, -1)
    if isinstance(op, ast.Pow):
        return _power(left, right, way)
    return Unit(left.powers, left.way) if isinstance(op, ast.Mod) else _added(left, right)


def _added(left: Unit, right: Unit) -> Unit:
    """Of `hvd.size() - 1`, with which a rate grows from 1 to N, both powers."""
    found = _join(left, right)
    grows = [max(unit.powers, default=0.0) > 0 for unit in (left, right)]
    return found._replace(followed=found.followed | WHOLE) if any(grows) != all(grows) else found


def _multiplied(left: Unit, right: Unit, sign: int) -> Unit:
    """A product or a quotient; what has no unit gives it none."""
    way, is_open = max(left.reckoned.way, right.reckoned.way), left.is_open or right.is_open
    if not left.followed and not right.followed:
        return Unit(FREE, way, is_open)
    found = (a + sign * b for a, b in product(left.powers or WHOLE, right.powers or WHOLE))
    return Unit(_limited(found), way, is_open)


def _raised(base: Unit, by: float) -> Unit:
    """A root or a power that is written out."""
    return Unit(_limited(each * by for each in base.followed), base.reckoned.way, base.is_open)


def _power(base: Unit, exponent: Unit, way: Way) -> Unit:
    """Of `step ** power` it is left open which power that is."""
    if base.powers <= WHOLE:
        return Unit(base.powers if not exponent.counts else FREE, way)
    return Unit(WHOLE | SHARE, way) if base.counts and not exponent.counts else Unit(FREE, way)


def _limited(powers: Iterable[float]) -> Powers:
    return frozenset(max(-_MOST, min(_MOST, each)) for each in powers)


def clash(one: Unit, other: Unit) -> Clash | None:
    """What is wrong where two numbers meet; None where none of them has to do with a count."""
    if not one.counts and not other.counts:
        return None
    if _are_unclear(one, other):
        return Clash.UNCLEAR
    return Clash.UNLIKE if _differ(one, other) else None


def _differ(one: Unit, other: Unit) -> bool:
    """One step more or less is nothing; beside a part of the way, 1 is all of it."""
    a, b = (
        unit.power if unit.powers else _of_one(met) for unit, met in ((one, other), (other, one))
    )
    return a is not None and b is not None and a != b


def _are_unclear(one: Unit, other: Unit) -> bool:
    """A rate that grows from 1 to N is clear: no way to it goes by a worker's own steps."""
    several = [unit for unit in (one, other) if len(unit.powers) > 1]
    is_asked = Way.COUNT in (one.way, other.way)
    is_own = any(unit.counts and min(unit.powers) < 0 for unit in several)
    return is_own or (is_asked and bool(several))


def _of_one(met: Unit) -> float | None:
    return 0.0 if met.way is Way.RECKONED else None
