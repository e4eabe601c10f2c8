"""Units: with which power of the number of workers a number grows; asked of rates and losses."""

from __future__ import annotations

import ast
from collections.abc import Container
from itertools import product
from typing import Callable

from ..facts.steps.units import Units, Way
from ..library import step_counts as table
from ..library.agreement import is_size
from ..library.launchers import SIZES
from ..library.names import normal
from ..library.words import words
from ..program.domain import Domain, Operands
from ..program.origins import Kind, Origin
from ..program.things import Library

Powers = frozenset[float]  # those on some way to the number; none: nothing gets there
Create = Callable[["Origin", "Operands[Powers]"], Powers]
_NOTHING: Powers = frozenset()
_PLAIN: Powers = frozenset({0.0})
_READ = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.arg)  # what a count is read by
_MOST = 4.0  # and its negative: nothing gets there yet, and it ends what a circle multiplies

# They carry the first argument on.
_CARRYING = words(
    "int float round cast constant convert_to_tensor Variable float32 float64 array asarray "
    "identity reduce_mean reduce_sum mean sum gradient compute_gradients get_scaled_loss add_n "
    "zip list tuple minimize scale_loss"
)


def _join(a: Powers, b: Powers) -> Powers:
    return a | b


def _create(origin: Origin, operands: Operands[Powers]) -> Powers:
    if origin.kind is Kind.CONSTANT:
        return _of_size(origin.name) if _is_size_name(origin.name) else _PLAIN
    if origin.kind is Kind.COMPUTED:
        return _computed(origin, operands)
    if origin.kind is Kind.THING and isinstance(origin.thing, Library):  # `MPI.COMM_WORLD.size`
        name = normal(origin.thing.name)
        return _of_size(name) if is_size(name) else _PLAIN
    if origin.kind is Kind.THING:  # a list of rates
        return (
            _largest([each for each in operands.of(origin, "of") if each])
            if origin.operands
            else _PLAIN
        )
    if origin.kind in (Kind.MEMBER, Kind.UNKNOWN) and isinstance(origin.name, tuple):
        is_told = _is_size_name(origin.name[1])  # `os.environ["OMPI_COMM_WORLD_SIZE"]`
        return _of_size(origin.name[1]) if is_told else _largest(operands.of(origin, "of"))
    if isinstance(origin.node, ast.Call):
        return _call(origin, origin.node, operands)
    return _PLAIN


def _of_size(name: object) -> Powers:
    """The number of workers; those of a machine times the machines are that number."""
    is_part = isinstance(name, str) and ("local" in name.lower() or "cross" in name.lower())
    return frozenset({0.5 if is_part else 1.0})


def _is_size_name(value: object) -> bool:
    """The name of a variable of the environment; what is asked by it is the number itself."""
    return isinstance(value, str) and value in SIZES


def _computed(origin: Origin, operands: Operands[Powers]) -> Powers:
    node, values = origin.node, operands.of(origin)
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and len(values) == 2:
        row = _OPERATORS.get(type(node.op))
        if isinstance(node.op, ast.Pow):
            return _power(values[0], node.right if isinstance(node, ast.BinOp) else node.value)
        return _largest(values) if row is None else _both(row, *values)
    if isinstance(node, (ast.UnaryOp, ast.List, ast.Tuple, ast.IfExp)):
        return _largest(values)
    return _PLAIN


def _both(row: Callable[[float, float], float], left: Powers, right: Powers) -> Powers:
    found = (row(a, b) for a, b in product(left, right))
    return frozenset(max(-_MOST, min(_MOST, each)) for each in found)


def _power(base: Powers, exponent: ast.expr | None) -> Powers:
    times = exponent.value if isinstance(exponent, ast.Constant) else None
    if not isinstance(times, (int, float)):
        return base
    return frozenset(max(-_MOST, min(_MOST, each * times)) for each in base)


def _largest(values: list[Powers]) -> Powers:
    """Of a sum, or of what is handed on with others: what grows most."""
    known = [each for each in values if each]
    if not known:
        return _NOTHING if values else _PLAIN
    return frozenset(max(each, key=abs) for each in product(*known)) if len(known) < 6 else _PLAIN


def _highest(values: list[Powers]) -> Powers:
    """Of a schedule: its rate, whatever its steps are divided by."""
    powers = [power for each in values for power in each]
    return frozenset({max(powers)}) if powers else _NOTHING


def _call(origin: Origin, call: ast.Call, operands: Operands[Powers]) -> Powers:
    name = normal(origin.name or _library(operands, origin))
    if is_size(name):
        return _of_size(name)
    first = operands.of(origin, 0) or [_PLAIN]
    second = operands.of(origin, 1) or [_PLAIN]
    if name in table.ROOTS | table.INVERSE_ROOTS:
        by = 0.5 if name in table.ROOTS else -0.5
        return _both(lambda a, b: a * by, first[0], _PLAIN)
    if name in table.POWERS:
        return _power(first[0], call.args[1] if len(call.args) > 1 else None)
    if name in table.PRODUCTS | table.QUOTIENTS:
        sign = 1 if name in table.PRODUCTS else -1
        return _both(lambda a, b: a + sign * b, first[0], second[0])
    last = name.rpartition(".")[2] or getattr(call.func, "attr", "")
    if last == "compute_average_loss":
        batch = operands.of(origin, "global_batch_size") or [_PLAIN]
        return _both(lambda a, b: a - b, first[0], batch[0])
    if last in _CARRYING:
        is_plain = bool(operands.of(origin, 0)) or not operands.of(origin, "receiver")
        return first[0] if is_plain else operands.of(origin, "receiver")[0]
    given = [label for label, _ in origin.operands if label not in ("func", "receiver")]
    if ".schedules." in name or name.endswith(("_decay", "Decay", "piecewise_constant")):
        return _highest(operands.of(origin, *given)) if given else _PLAIN
    if name in ("os.getenv", "os.environ.get", "builtins.min", "builtins.max"):
        return _largest(operands.of(origin, *given)) if given else _PLAIN
    return _largest(operands.of(origin, *given)) if given and not name else _PLAIN


def _library(operands: Operands[Powers], origin: Origin) -> str:
    called = [t.name for t in operands.things(origin, "func") if isinstance(t, Library)]
    return called[0] if len(called) == 1 else ""


_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Mult: lambda a, b: a + b,
    ast.Div: lambda a, b: a - b,
    ast.FloorDiv: lambda a, b: a - b,
}
POWERS: Domain[Powers] = Domain(_NOTHING, _PLAIN, _join, _create, suppose=_create)


def counting(
    units: Units,
    create: Create = _create,
    unknown: Powers = _PLAIN,
    plain: Container[object] = (),
) -> Domain[Powers]:
    """The same, where counts of a worker's own steps, and lengths of its share, are an Nth.

    `plain`: the parameters that get a number which is the same for however many workers. Of a sum
    that a count is in, what grows most: `1 - step / total` is no Nth of a number.
    """

    def reckoned(origin: Origin, operands: Operands[Powers]) -> Powers:
        node = origin.node
        is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub))
        if is_sum and isinstance(node, ast.BinOp) and units.of(node).way is Way.RECKONED:
            values = [each for each in operands.of(origin) if each]
            return frozenset(map(max, product(*values))) if values else _NOTHING
        return create(origin, operands)

    def at(key: object, value: Powers) -> Powers:
        if isinstance(key, ast.arg) and key in plain:
            return _PLAIN
        unit = units.of(key) if isinstance(key, _READ) or units.knows(key) else None  # type: ignore[arg-type]
        is_known = unit is not None and (unit.way is Way.COUNT or units.knows(key))
        return unit.powers if unit is not None and unit.powers and is_known else value

    return Domain(_NOTHING, unknown, _join, reckoned, suppose=reckoned, at=at)
