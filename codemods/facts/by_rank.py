"""What differs between workers because the program asks for its number, or their count."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from ..library.agreement import is_size
from ..library.downloads import KERAS_COPIES
from ..library.launchers import SIZES
from ..program.node_fields import within
from ..program.parts import FunctionNode
from .facts import Facts
from .horovod import member
from .own_values import NUMBERS, own_number

SIZE = frozenset({"size", "local_size", "cross_size"})
RANK = frozenset({"rank", "local_rank", "cross_rank"})
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
        is_copy = isinstance(node, ast.Call) and KERAS_COPIES.match(facts.name(node.func) or "")
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
    return own_number(facts, test).kind in NUMBERS


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
