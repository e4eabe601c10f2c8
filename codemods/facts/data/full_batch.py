"""Whether every step takes all of the data, so that nothing can be shared out among workers.

All workers then compute the same gradient, and its average is that of one worker.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from typing import Union

from ...library.purity import SAME_AGAIN
from ...library.words import words
from ...program.node_fields import within
from ...program.parts import COMPREHENSIONS, FunctionNode
from ..facts import Facts, recorded
from ..names import KERAS
from ..roles import Role
from ..training.pattern import SESSIONS, Pattern, runs_sessions, training_of
from ..training.session_runs import session_runs, training_runs
from ..training.training_loops import trains
from .array_loops import loops
from .pipeline_shares import shares_of
from .unknown_data import known_data, unknown_loops

_MAKING = (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.comprehension)
Counting = Union[ast.For, ast.While]
_LOOPS = (Pattern.GRADIENT_TAPE, *SESSIONS)
_METHODS = words(
    "gradient watch apply apply_gradients minimize numpy append assign assign_add assign_sub "
    "result update_state reset_state reset_states format save write items keys values "
    "get_weights set_weights load_weights save_weights restore add_summary should_stop"
)


@recorded
def is_full_batch(facts: Facts) -> bool:
    """Whether that is certain: loops that only count, and nothing that changes in a step."""
    training = training_of(facts)
    if training.pattern not in _LOOPS or known_data(facts) or loops(facts):
        return False
    rounds = rounds_of_training(facts)
    if not rounds or shares_of(facts).ends or any(True for _ in unknown_loops(facts)):
        return False
    code = [*code_of_steps(facts)]
    changing = _changing(rounds, code)
    is_same = all(_is_same(facts, node, changing) for node in code)
    return is_same and all(_is_same(facts, node, changing) for node in _graph(facts))


def rounds_of_training(facts: Facts) -> list[Counting]:
    """The loops of which each round trains."""
    counting: list[Counting] = [*facts.index.nodes(ast.For), *facts.index.nodes(ast.While)]
    return [loop for loop in counting if trains(facts, loop)]


@recorded
def code_of_steps(facts: Facts) -> dict[ast.AST, None]:
    """What runs in a step, and in the functions that it calls, in this order."""
    return dict.fromkeys(_code(facts, rounds_of_training(facts)))


def _graph(facts: Facts) -> Iterator[ast.AST]:
    """What a session computes in a step; what a variable begins with is computed before."""
    if runs_sessions(facts):
        for run in training_runs(facts).values():
            yield from facts.program.ingredients(run.fetches, lambda n: _is_variable(facts, n))


def _is_variable(facts: Facts, node: ast.AST) -> bool:
    name = facts.name(node.func) if isinstance(node, ast.Call) else None
    return (name or "").endswith((".Variable", ".get_variable"))


def _code(facts: Facts, rounds: list[Counting]) -> Iterator[ast.AST]:
    reached = training_of(facts).reached
    for loop in rounds:
        yield from within(loop)
    calls = [node for loop in rounds for node in within(loop) if isinstance(node, ast.Call)]
    called: set[ast.AST | None] = {facts.callee(call) for call in calls}
    given = (each for call in calls for each in (*call.args, *(k.value for k in call.keywords)))
    called.update(node for each in given for node in facts.program.functions(each).nodes)
    called.discard(None)
    functions = {f for start in called for f in reached(start) if isinstance(f, FunctionNode)}  # type: ignore[arg-type]
    for function in functions:
        yield from within(function)


def _changing(rounds: list[Counting], code: list[ast.AST]) -> frozenset[str]:
    """The names of counters: `step` of the loop, `n` of `n += 1`, and what a function is given.

    So are those of what is computed from them: `start = step * 32 % len(x)`.
    """
    found = {node.arg for node in code if isinstance(node, ast.arg)}
    for loop in rounds:
        targets = [n.target for n in within(loop) if isinstance(n, (ast.For, ast.AugAssign))]
        names = (n for target in targets for n in within(target))
        found.update(n.id for n in names if isinstance(n, ast.Name))
    made = [node for node in code if isinstance(node, _MAKING)]
    known: set[str] = set()
    while known != found:
        known = set(found)
        found.update(name for node in made if _reads(node, known) for name in _bound(node))
    return frozenset(found)


def _reads(made: ast.AST, names: Collection[str]) -> bool:
    loads = (n for n in within(made) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
    return any(name.id in names for name in loads)


def _bound(made: ast.AST) -> Iterator[str]:
    for node in within(made):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _is_same(facts: Facts, node: ast.AST, changing: frozenset[str]) -> bool:
    """Whether this part of a step is the same in each of them, on each worker."""
    if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await, ast.With, ast.AsyncFor)):
        return isinstance(node, ast.With)
    if isinstance(node, ast.Subscript):
        names = (n for n in within(node.slice) if isinstance(n, ast.Name) and n.id in changing)
        return all(_is_of_comprehension(facts, name, changing) for name in names)
    return not isinstance(node, ast.Call) or _is_same_call(facts, node)


def _is_of_comprehension(facts: Facts, name: ast.Name, changing: frozenset[str]) -> bool:
    """`[d[k] for k in keys]`: all keys in each step, whatever else is called `k`."""
    bound = facts.bindings(name)
    around = [p for p in facts.parents(name) if isinstance(p, COMPREHENSIONS)]
    rounds = [g.iter for each in around for g in each.generators]
    is_own = bool(bound) and all(any(b.node in within(p) for p in around) for b in bound)
    return is_own and not any(_reads(over, changing) for over in rounds)


def _is_same_call(facts: Facts, call: ast.Call) -> bool:
    name = facts.name(call.func)
    if name is not None:
        return re.match(SAME_AGAIN, name) is not None
    if facts.callee(call) is not None or facts.role(call.func) is Role.MODEL:
        return True
    made = facts.origins(call.func).nodes
    if made and all(_is_loss(facts, each) for each in made):
        return True
    is_run = any(call is run.call for run in session_runs(facts))
    return is_run or (isinstance(call.func, ast.Attribute) and call.func.attr in _METHODS)


def _is_loss(facts: Facts, made: ast.AST) -> bool:
    """`tf.keras.losses.Huber()`: called with the same it gives the same."""
    name = facts.name(made.func) if isinstance(made, ast.Call) else None
    return (name or "").startswith(f"{KERAS}.losses.")
