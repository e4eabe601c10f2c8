"""Values that every worker has alike behind the first broadcast: made now, from what it broadcast.

What was read off the variables before (`kept = net.get_weights()`) may be each worker's own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from ...library.names import normal
from ...program.domain import Domain, Operands
from ...program.edges import ANY
from ...program.origins import Kind, Origin
from ...program.records import NamedTuple
from ..agreement_domain import AGREES, Agreement
from ..facts import Facts
from ..holders import holders
from ..precedence import LOOPS, lifted
from .paths import is_path
from .trained_models import VARIABLES as VARIABLES

GET_WEIGHTS = "get_weights"
_READS = {(".", name) for name in (*VARIABLES, GET_WEIGHTS)}
_OPERATIONS = r"tensorflow\.(?:(?:math|linalg)\.)?(?!print|py_function|numpy_f)\w+$"
_HANDED_ON = r"builtins\.(?:zip|enumerate|list|tuple|reversed|iter)$"
_COMPUTES = (ast.Call, ast.BinOp, ast.UnaryOp)


class State(NamedTuple):
    """What the steps of one flag train, and what they ask beside it."""

    held: frozenset[object]  # what holds the models and the optimizer
    made: frozenset[ast.AST]  # the syntax that they are made from: layers, variables
    variables: frozenset[ast.AST]  # of these, `tf.Variable(…)` that is given to the optimizer
    steps: tuple[ast.Call, ...]
    domain: Domain[Agreement]


def live_domain(alike: frozenset[ast.AST]) -> Domain[Agreement]:
    """Whether all workers have a value, if they have the weights and what these make."""
    create = partial(_create, alike)
    return Domain(Agreement.NOTHING, Agreement.UNSURE, AGREES.join, create, ANY, create)


def _create(alike: frozenset[ast.AST], origin: Origin, operands: Operands[Agreement]) -> Agreement:
    if origin.node in alike or origin.name in _READS:
        return Agreement.SAME
    name = origin.name if origin.kind is Kind.CALL else None
    if isinstance(name, str) and re.match(_OPERATIONS, normal(name)):
        return max(operands.of(origin), default=Agreement.SAME) or Agreement.SAME
    is_unknown = origin.kind is Kind.UNKNOWN and AGREES.suppose is not None
    make = AGREES.suppose if is_unknown else AGREES.create
    assert make is not None
    return make(origin, operands)


def is_live(facts: Facts, value: ast.expr, write: ast.AST, state: State) -> bool:
    """Whether all workers have this value there, as they have the state."""
    behind = list(_behind(facts, value, state))
    reads = (node for node in behind if _is_read(state, node))
    values: list[ast.AST | int] = [value, *(n for read in reads for n in facts.program.puts(read))]
    if any(facts.program.value(state.domain, n) > Agreement.IMPORTED for n in values):
        return False
    return not any(_is_old(facts, node, write, state) for node in behind)


def _behind(facts: Facts, value: ast.AST, state: State) -> Iterator[ast.AST]:
    """What a value is made from, down to where weights are read, and what is put into those."""
    seen: set[ast.AST] = set()
    waiting: list[ast.AST | int] = [value]
    while waiting:
        found = {*facts.program.ingredients_of(waiting, partial(_is_read, state))} - seen
        seen |= found
        yield from found
        reads = (node for node in found if _is_read(state, node))
        waiting = [each for read in reads for each in facts.program.puts(read)]


def _is_read(state: State, node: ast.AST) -> bool:
    return node in state.variables or _read_of(node) is not None


def _read_of(node: ast.AST) -> ast.expr | None:
    """What `net.variables` and `net.get_weights()` read."""
    func = node.func if isinstance(node, ast.Call) else None
    if isinstance(func, ast.Attribute) and func.attr == GET_WEIGHTS:
        return func.value
    return node.value if isinstance(node, ast.Attribute) and node.attr in VARIABLES else None


def _is_old(facts: Facts, node: ast.AST, write: ast.AST, state: State) -> bool:
    """Whether weights are read there that aren't broadcast, or were copied before a step."""
    base = _read_of(node)
    if base is not None and not (is_path(base) and holders(facts, base) & state.held):
        return True
    if not isinstance(node, _COMPUTES) or node in state.variables or _hands_on(facts, node):
        return False
    reads = any(_is_read(state, part) for part in _behind(facts, node, state))
    return reads and not _is_now(facts, node, write, state.steps)


def _hands_on(facts: Facts, node: ast.AST) -> bool:
    """`zip(target.variables, net.variables)` holds the variables themselves."""
    return isinstance(node, ast.Call) and bool(re.match(_HANDED_ON, facts.name(node.func) or ""))


def _is_now(facts: Facts, node: ast.AST, write: ast.AST, steps: Iterable[ast.Call]) -> bool:
    """Whether no step can run between what computes a value and what writes it."""
    home = facts.function(write) or facts.module
    runs = [run for step in steps for scope, run in lifted(facts, step) if scope is home]
    places = [each for scope, each in lifted(facts, node) if scope is home]
    return bool(places) and not any(
        _comes_between(facts, place, run, write) for place in places for run in runs
    )


def _comes_between(facts: Facts, early: ast.AST, run: ast.AST, write: ast.AST) -> bool:
    at: Callable[[ast.AST], tuple[int, int]] = facts.place
    statement = facts.statement(early)
    if at(statement) > at(write) or at(early) < at(run) < at(write):
        return True
    outside = set(facts.parents(early))
    loops = [p for p in facts.parents(write) if isinstance(p, LOOPS) and p not in outside]
    return any(loop in facts.parents(run) for loop in loops)
