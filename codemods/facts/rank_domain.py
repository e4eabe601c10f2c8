"""The domain of ranks: whether a value is decided by the worker's number, or its own otherwise.

It looks for a proof of harm, as a hazard must: what is unknown counts as what all workers share.
`agreement_domain` asks the other question, for the proof that a value is shared.
"""

from __future__ import annotations

import ast
from enum import IntEnum

from ..library import ranks
from ..library.agreement import SHARED_MEMBERS
from ..library.names import normal
from ..program.domain import Domain, Operands
from ..program.edges import ANY
from ..program.origins import Kind, Origin
from ..program.sizes import LENGTH, ROUNDS, TURNS
from ..program.things import Library


class Taint(IntEnum):
    """How a value differs between workers; the larger one wins where values meet."""

    NOTHING = 0
    SHARED = 1  # as far as anybody knows
    TEXT = 2  # a number as the environment holds it: every worker has one, "0" as well as "1"
    OWN = 3  # of a worker's own data, clock or random numbers
    RANK = 4  # reckoned with the worker's number, or chosen by it


_NUMBERS = ("builtins.int", "builtins.float")
_SAME_FOR_ALL = (ast.Is, ast.IsNot)  # `rank is None`: all workers have one, or none


def _join(a: Taint, b: Taint) -> Taint:
    return max(a, b)


def _highest(values: list[Taint]) -> Taint:
    return max(values, default=Taint.SHARED) or Taint.SHARED


def _create(origin: Origin, operands: Operands[Taint]) -> Taint:
    row = _ROWS.get(origin.kind)
    return Taint.SHARED if row is None else row(origin, operands)


def _thing(origin: Origin, operands: Operands[Taint]) -> Taint:
    return _highest(operands.of(origin))


def _computed(origin: Origin, operands: Operands[Taint]) -> Taint:
    """An operator; shares of the data are made equally long."""
    if origin.name in (LENGTH, ROUNDS, TURNS):
        return Taint.SHARED
    found, node = _highest(operands.of(origin)), origin.node
    if not isinstance(node, ast.Compare):
        return found
    if isinstance(node.ops[0], _SAME_FOR_ALL):
        return Taint.SHARED
    return Taint.RANK if found is Taint.TEXT else found


def _call(origin: Origin, operands: Operands[Taint]) -> Taint:
    """What outside code gives: of a rank it may make anything, a worker's data most of all."""
    labels = [label for label, _ in origin.operands if label != "func"]
    given = _highest(operands.of(origin, *labels)) if labels else Taint.SHARED
    called = [t.name for t in operands.things(origin, "func") if isinstance(t, Library)]
    name = normal(origin.name or next(iter(called), ""))
    if ranks.is_rank(name):
        return Taint.RANK
    if _is_variable(origin.node, name):
        return Taint.TEXT
    if ranks.is_told(name) or name == "builtins.len":
        return Taint.SHARED
    if ranks.is_own(name):
        return Taint.OWN
    if not ranks.is_reckoned(name):
        return min(given, Taint.OWN)
    return Taint.RANK if given is Taint.TEXT and name in _NUMBERS else given


def _is_variable(node: ast.AST | None, name: str) -> bool:
    """`os.environ["OMPI_COMM_WORLD_RANK"]` and the like."""
    if name not in ranks.ENVIRONMENT:
        return False
    key = node.slice if isinstance(node, ast.Subscript) else None
    if isinstance(node, ast.Call) and node.args:
        key = node.args[0]
    return isinstance(key, ast.Constant) and key.value in ranks.VARIABLES


def _member(origin: Origin, operands: Operands[Taint]) -> Taint:
    """A part of what outside code has made: data, but its shape is the same everywhere."""
    step = origin.name
    if isinstance(step, tuple) and step[0] == "." and step[1] in SHARED_MEMBERS:
        return Taint.SHARED
    if _is_of_environment(origin):
        return Taint.TEXT
    return min(_highest(operands.of(origin)), Taint.OWN)


def _is_of_environment(origin: Origin) -> bool:
    """`os.environ["SLURM_PROCID"]`, also of a copy: the names are nobody else's."""
    return (
        isinstance(origin.name, tuple)
        and len(origin.name) > 1
        and origin.name[1] in ranks.VARIABLES
    )


def _suppose(origin: Origin, operands: Operands[Taint]) -> Taint:
    """Of an unknown value: a part of it, or what it gives for a worker's own."""
    if not origin.operands:
        return Taint.SHARED
    return _member(origin, operands) if origin.name is not None else _call(origin, operands)


_ROWS = {
    Kind.THING: _thing,
    Kind.COMPUTED: _computed,
    Kind.CALL: _call,
    Kind.MEMBER: _member,
}
TAINTED: Domain[Taint] = Domain(
    Taint.NOTHING, Taint.SHARED, _join, _create, through=ANY, suppose=_suppose
)
