"""What differs between workers because the program asks Horovod for its number or their count."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..program.node_fields import children, within
from .horovod import member
from .rank_domain import TAINTED, Taint
from .reaching import reaching
from .scopes import FunctionNode
from .walks import reached

if TYPE_CHECKING:
    from .facts import Facts

SIZE = frozenset({"size", "local_size", "cross_size"})
RANK = frozenset({"rank", "local_rank", "cross_rank"})
# A copy of its own for each worker holds the same as the others' copies.
_COPIES = re.compile(r"tensorflow\.keras\.(?:datasets\.\w+\.load_data|utils\.get_file)$")
_LEAVING = (ast.Return, ast.Continue, ast.Break, ast.Raise)
_EXITS = ("sys.exit", "builtins.exit", "builtins.quit", "os._exit")


def depends_on_size(facts: Facts, expr: ast.AST) -> bool:
    """Whether the value is computed from the number of workers."""
    return _depends(facts, expr, SIZE)


def depends_on_rank(facts: Facts, expr: ast.AST) -> bool:
    """Whether the value is computed from the worker's own number."""
    return _depends(facts, expr, RANK) or _is_of_environment(facts, expr)


def _is_of_environment(facts: Facts, expr: ast.AST) -> bool:
    """Whether what started the worker has told it its number: `os.environ["SLURM_PROCID"]`."""
    has_one = "environ" in facts.index.loads or "getenv" in facts.index.loads
    if not (facts.has_horovod and has_one and isinstance(expr, ast.expr)):
        return False
    return facts.program.value(TAINTED, expr) in (Taint.RANK, Taint.TEXT)


def _depends(facts: Facts, expr: ast.AST, members: frozenset[str]) -> bool:
    if not facts.has_horovod:
        return False

    free, looked_at = facts.record(_free_nodes)[members], []

    def made_of(node: ast.AST) -> Iterable[ast.AST]:
        return () if node in free else _made_of(facts, node)

    for node in reached([expr], made_of):
        if isinstance(node, ast.Call) and member(facts, node.func) in members:
            return True
        looked_at.append(node)
    free.update(looked_at)
    return False


def _free_nodes(facts: Facts) -> defaultdict[frozenset[str], set[ast.AST]]:
    """What was looked at to its last ingredient without finding any of these members."""
    return defaultdict(set)


def _made_of(facts: Facts, node: ast.AST) -> Iterator[ast.AST]:
    """What a value is computed from, the bindings of a name included."""
    if isinstance(node, (*FunctionNode, ast.ClassDef, ast.Lambda)):
        return
    if isinstance(node, ast.Call) and _COPIES.match(facts.name(node.func) or ""):
        return
    if isinstance(node, ast.Name):
        yield from _bound(facts, node)
        return
    yield from children(node)
    if isinstance(node, (ast.Attribute, ast.Call)):
        yield from (item.node for item in facts.origins(node).items)


def _bound(facts: Facts, name: ast.Name) -> Iterator[ast.AST]:
    for binding in reaching(facts, name):
        if binding.kind in ("assign", "aug") and binding.value is not None:
            yield binding.value
            if binding.kind == "aug":
                yield from (item.node for item in facts.origins(name).items)
        elif binding.kind != "import":
            yield from (item.node for item in facts.origins(name).items)


def asks_for_rank(facts: Facts, test: ast.AST) -> bool:
    """Whether a condition is about the worker's number: `hvd.rank() == 0`, `is_chief`.

    What is only computed from a worker's own data differs, too, but nobody decided on it.
    """
    if not facts.has_horovod:
        return False

    def made_of(node: ast.AST) -> Iterable[ast.AST]:
        if isinstance(node, ast.Call):
            return (item.node for item in facts.origins(node).items)
        if isinstance(node, ast.Subscript):
            return ()  # a worker's own data
        loops = isinstance(node, ast.Name) and any(
            binding.kind in ("for", "with") for binding in facts.names.bindings(node)
        )
        return () if loops else _made_of(facts, node)

    calls = (node for node in reached([test], made_of) if isinstance(node, ast.Call))
    is_asked = any(member(facts, call.func) in RANK for call in calls)
    return is_asked or _is_of_environment(facts, test)


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
        return facts.name(statement.value.func) in _EXITS
    return isinstance(statement, _LEAVING)
