"""What differs between workers because the program asks for its number, or their count."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Hashable, Iterator
from enum import IntEnum
from typing import TYPE_CHECKING

from ..library import agreement as table
from ..library import launchers
from ..library.agreement import SHARED_MEMBERS, is_size
from ..library.launchers import SIZES
from ..library.names import normal
from ..program.domain import Domain, Operands
from ..program.edges import ANY, Edge
from ..program.node_fields import within
from ..program.origins import Kind, Origin
from ..program.parts import FunctionNode
from ..program.sizes import LENGTH, ROUNDS, TURNS
from ..program.things import Library
from ..syntax.agreed import is_agreed
from .horovod import member

if TYPE_CHECKING:
    from .facts import Facts


# -- rank domain ---------------------------------------------------------------------------------
# The domain of ranks: whether a value is decided by the worker's number, or its own otherwise.
#
# It looks for a proof of harm, as a hazard must: what is unknown counts as what all workers
# share. `own_values` asks the other question, for the proof that a value is shared.


class Taint(IntEnum):
    """How a value differs between workers; the larger one wins where values meet."""

    NOTHING = 0
    SHARED = 1  # as far as anybody knows
    NAME = 2  # the name of a variable of the environment that holds a worker's number
    TEXT = 3  # a number as the environment holds it: every worker has one, "0" as well as "1"
    OWN = 4  # of a worker's own data, clock or random numbers
    RANK = 5  # reckoned with the worker's number, or chosen by it


_NUMBERS = ("builtins.int", "builtins.float")
_SAME_FOR_ALL = (ast.Is, ast.IsNot)  # `rank is None`: all workers have one, or none
_LOOKED_AT = ("startswith", "endswith")


def _join(a: Taint, b: Taint) -> Taint:
    return max(a, b)


def _highest(values: list[Taint]) -> Taint:
    return max(values, default=Taint.SHARED) or Taint.SHARED


def _create(origin: Origin, operands: Operands[Taint]) -> Taint:
    row = _ROWS.get(origin.kind)
    return Taint.SHARED if row is None else row(origin, operands)


def _constant(origin: Origin, operands: Operands[Taint]) -> Taint:
    is_name = isinstance(origin.name, str) and origin.name in launchers.VARIABLES
    return Taint.NAME if is_name else Taint.SHARED


def _thing(origin: Origin, operands: Operands[Taint]) -> Taint:
    if isinstance(origin.thing, Library) and table.is_rank(origin.thing.name):
        return Taint.RANK if origin.thing.name.startswith("mpi4py.") else Taint.SHARED
    return _highest(operands.of(origin))


def _computed(origin: Origin, operands: Operands[Taint]) -> Taint:
    """An operator; shares of the data are made equally long."""
    if origin.name in (LENGTH, ROUNDS, TURNS):
        return Taint.SHARED
    found, node = _highest(operands.of(origin)), origin.node
    if not isinstance(node, ast.Compare):
        return found
    if isinstance(node.ops[0], _SAME_FOR_ALL) or found is Taint.NAME:
        return Taint.SHARED
    return Taint.RANK if found is Taint.TEXT else found


def _call(origin: Origin, operands: Operands[Taint]) -> Taint:
    """What outside code gives: of a rank it may make anything, a worker's data most of all."""
    labels = [label for label, _ in origin.operands if label != "func"]
    given = _highest(operands.of(origin, *labels)) if labels else Taint.SHARED
    called = [t.name for t in operands.things(origin, "func") if isinstance(t, Library)]
    name = normal(origin.name or next(iter(called), ""))
    if table.is_rank(name):
        return Taint.RANK
    if name in launchers.ENVIRONMENT and given is Taint.NAME:
        return Taint.TEXT
    if table.is_told(name) or name == "builtins.len":
        return Taint.SHARED
    if table.is_own(name):
        return Taint.OWN
    if given is Taint.TEXT and (name in _NUMBERS or _looks_at(origin.node)):
        return Taint.RANK
    return given if table.is_reckoned(name) else min(given, Taint.OWN)


def _looks_at(call: ast.AST | None) -> bool:
    """`os.environ["SLURM_PROCID"].startswith("0")`."""
    return isinstance(call, ast.Call) and getattr(call.func, "attr", "") in _LOOKED_AT


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
        and origin.name[1] in launchers.VARIABLES
    )


def _suppose(origin: Origin, operands: Operands[Taint]) -> Taint:
    """Of an unknown value: a part of it, or what it gives for a worker's own."""
    if not origin.operands:
        return Taint.SHARED
    return _member(origin, operands) if origin.name is not None else _call(origin, operands)


def _at(key: Hashable, value: Taint) -> Taint:
    """`os.environ[name]`: what is known of it is the name; agreed behind a check of that."""
    if is_agreed(key):
        return min(value, Taint.SHARED)
    return Taint.TEXT if value is Taint.NAME and isinstance(key, ast.Subscript) else value


_ROWS = {
    Kind.CONSTANT: _constant,
    Kind.THING: _thing,
    Kind.COMPUTED: _computed,
    Kind.CALL: _call,
    Kind.MEMBER: _member,
}
TAINTED: Domain[Taint] = Domain(
    Taint.NOTHING, Taint.SHARED, _join, _create, through=ANY, suppose=_suppose, at=_at
)
# Without what is put into containers: the elements of a list are other ones, not one chosen.
PICKED: Domain[Taint] = Domain(
    Taint.NOTHING,
    Taint.SHARED,
    _join,
    _create,
    through=ANY & ~(Edge.ELEMENT | Edge.STORED),
    suppose=_suppose,
    at=_at,
)


# -- by rank -------------------------------------------------------------------------------------
# What differs between workers because the program asks Horovod for its number or their count.

SIZE = frozenset({"size", "local_size", "cross_size"})
RANK = frozenset({"rank", "local_rank", "cross_rank"})
# A copy of its own for each worker holds the same as the others' copies.
_COPIES = re.compile(r"tensorflow\.keras\.(?:datasets\.\w+\.load_data|utils\.get_file)$")
_NAMED = (ast.Name, ast.Attribute)
_LEAVING = (ast.Return, ast.Continue, ast.Break, ast.Raise)
EXITS = ("sys.exit", "builtins.exit", "builtins.quit", "os._exit")


def depends_on_size(facts: Facts, expr: ast.AST) -> bool:
    """Whether the value is computed from the number of workers."""
    return _depends(facts, expr, SIZE)


def depends_on_rank(facts: Facts, expr: ast.AST) -> bool:
    """Whether the value is computed from the worker's own number."""
    return _depends(facts, expr, RANK) or _is_rank_of_environment(facts, expr)


def _is_rank_of_environment(facts: Facts, expr: ast.AST) -> bool:
    """Whether what started the worker has told it its number: `os.environ["SLURM_PROCID"]`."""
    if "environ" not in facts.index.loads and "getenv" not in facts.index.loads:
        return False
    made = facts.program.ingredients(expr)  # also the bounds of a part, `x[rank::size]`
    return any(asks_for_rank(facts, n) for n in (expr, *made) if isinstance(n, ast.expr))


def _depends(facts: Facts, expr: ast.AST, members: frozenset[str]) -> bool:
    """Whether one of these is called on the engine's way back from a value."""
    if not facts.has_horovod:
        return False
    free, seen = facts.record(_free_nodes)[members], []

    def is_end(node: ast.AST) -> bool:
        is_copy = isinstance(node, ast.Call) and _COPIES.match(facts.name(node.func) or "")
        return node in free or bool(is_copy)

    for node in facts.program.ingredients(expr, is_end):
        if isinstance(node, ast.Call) and member(facts, node.func) in members:
            return True
        if members is SIZE and isinstance(node, ast.Constant) and node.value in SIZES:
            return True  # of what started the worker: `os.environ["OMPI_COMM_WORLD_SIZE"]`
        if members is SIZE and isinstance(node, _NAMED) and is_size(facts.name(node) or ""):
            return True  # of MPI: `MPI.COMM_WORLD.Get_size()`
        seen.append(node)
    free.update(seen)
    return False


def _free_nodes(facts: Facts) -> defaultdict[frozenset[str], set[ast.AST]]:
    """What was looked at to its last ingredient without finding any of these members."""
    return defaultdict(set)


def asks_for_rank(facts: Facts, test: ast.AST) -> bool:
    """Whether a condition is about the worker's number: `hvd.rank() == 0`, `is_chief`.

    What is only computed from a worker's own data differs, too, but nobody decided on it.
    """
    if not facts.has_horovod or not isinstance(test, ast.expr):
        return False
    return facts.program.value(TAINTED, test) in (Taint.RANK, Taint.TEXT)


def names_rank(facts: Facts, statement: ast.stmt) -> bool:
    """`print("started", hvd.rank())`: one line of each worker is what is wanted."""
    if not facts.has_horovod or not isinstance(statement, ast.Expr):
        return False
    calls = (node for node in within(statement) if isinstance(node, ast.Call))
    return any(member(facts, call.func) in RANK for call in calls)


def is_decided(facts: Facts, node: ast.AST) -> bool:
    """Whether the program itself asks for the worker's number on the way to this place."""
    if not facts.has_horovod:
        return False
    child = node
    for parent in facts.parents(node):
        if isinstance(parent, (*FunctionNode, ast.Lambda)):
            return isinstance(child, ast.stmt) and _is_left_before(facts, child)
        if any(asks_for_rank(facts, test) for test in _tests(parent, child)):
            return True
        if isinstance(child, ast.stmt) and _is_left_before(facts, child):
            return True
        child = parent
    return False


def _tests(parent: ast.AST, child: ast.AST) -> Iterator[ast.expr]:
    """The conditions under which `child` is reached in its parent."""
    if isinstance(parent, (ast.If, ast.IfExp, ast.While)) and child is not parent.test:
        yield parent.test
    if isinstance(parent, ast.BoolOp):
        yield from parent.values[: parent.values.index(child)]  # type: ignore[arg-type]
    for part in getattr(parent, "generators", ()):
        yield from part.ifs


def _is_left_before(facts: Facts, statement: ast.stmt) -> bool:
    """`if hvd.rank() != 0: return` above it in the same block."""
    block, number = facts.block(statement)
    earlier = (s for s in block[:number] if isinstance(s, ast.If) and _leaves(facts, s.body[-1]))
    return any(asks_for_rank(facts, s.test) for s in earlier)


def _leaves(facts: Facts, statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return facts.name(statement.value.func) in EXITS
    return isinstance(statement, _LEAVING)
