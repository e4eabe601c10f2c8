"""Numbers that a session says of its global step: it is a variable, which all workers take over.

The broadcast gives all of them that of worker 0, and each step of all adds one to it. What is
fetched along with a step may be the number before or behind it: see TensorFlow's `StopAtStepHook`.
"""

from __future__ import annotations

import ast

from ...library.names import in_v1
from ..facts import Facts, recorded
from ..roles import Role
from .own_hooks import is_session_of_hook
from .session_runs import APPLICATIONS, applies, session_runs, training_runs

_STEPS = in_v1(
    "train.get_or_create_global_step", "train.get_global_step", "train.create_global_step"
)
_SAID = in_v1("train.global_step")  # of a session, as a number
_GIVEN = {"minimize": 1, "apply_gradients": 1}


def is_global_step(facts: Facts, expr: ast.expr) -> bool:
    """Whether a value is the step that a session counts, fetched while it takes none."""
    return _is_said_by(facts, expr) and not fetched_along(facts, expr)


def is_step_of_session(facts: Facts, expr: ast.expr) -> bool:
    """Whether a value is that step, whenever it was fetched, or one more."""
    while isinstance(expr, ast.BinOp) and isinstance(expr.op, (ast.Add, ast.Sub)):
        expr = expr.left
    return _is_said_by(facts, expr)


def fetched_along(facts: Facts, expr: ast.expr) -> bool:
    """Whether it is that step, fetched along with one: nobody knows on which side of it."""
    runs = training_runs(facts)
    return _is_said_by(facts, expr) and any(i.node in runs for i in facts.origins(expr).items)


def asked_alone(facts: Facts, name: ast.Name) -> tuple[ast.expr, ast.expr] | None:
    """The session that a step fetched along can be asked of, and what to fetch; None: unknown."""
    along = [i for i in facts.origins(name).items if i.node in training_runs(facts)]
    node, path = along[0]
    session = training_runs(facts)[node].session  # type: ignore[index]
    fetched = _part(_fetches(facts).get(node), path)
    is_here = facts.function(name) is facts.function(node)
    if len(along) > 1 or session is None or fetched is None or not is_here:
        return None
    return session, fetched


def _is_said_by(facts: Facts, expr: ast.expr) -> bool:
    found = facts.origins(expr)
    items = [item for item in found.items if not _is_number(item.node)]
    return found.complete and bool(items) and all(_is_said(facts, *item) for item in items)


def _is_number(node: ast.AST) -> bool:
    """`step = 0` before the loop."""
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _is_said(facts: Facts, node: ast.AST, path: tuple[object, ...]) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if not path and facts.name(node.func) in _SAID:
        return True
    fetched = _part(_fetches(facts).get(node), path)
    made = () if fetched is None else facts.origins(fetched).nodes
    return bool(made) and all(node in step_variables(facts) for node in made)


def _part(fetched: ast.expr | None, path: tuple[object, ...]) -> ast.expr | None:
    """What of a list that is fetched has a place."""
    if not path or fetched is None:
        return fetched
    is_part = isinstance(fetched, (ast.List, ast.Tuple)) and len(path) == 1
    number = path[0] if is_part and isinstance(path[0], int) else -1
    return fetched.elts[number] if 0 <= number < len(fetched.elts) else None  # type: ignore[attr-defined]


@recorded
def _fetches(facts: Facts) -> dict[ast.AST, ast.expr]:
    found: dict[ast.AST, ast.expr] = {run.call: run.fetches for run in session_runs(facts)}
    for call in facts.calls("run"):
        if is_session_of_hook(facts, call.func.value):  # type: ignore[attr-defined]
            fetched = facts.argument(call, "fetches", 0)
            found.update({} if fetched is None else {call: fetched})
    return found


@recorded
def step_variables(facts: Facts) -> frozenset[ast.AST]:
    """The calls that make or get it, and what optimizers are given to count their steps by."""
    found: set[ast.AST] = set(facts.calls_of(*_STEPS))
    found.update(n for n in facts.index.nodes(ast.Attribute) if _is_supervisors(facts, n))
    for call in facts.calls(*APPLICATIONS):
        name = call.func.attr  # type: ignore[attr-defined]
        given = facts.argument(call, "global_step", _GIVEN[name])
        if given is not None and given not in call.args[:1] and applies(facts, call):
            found.update(facts.origins(given).nodes)
    return frozenset(found)


def _is_supervisors(facts: Facts, node: ast.Attribute) -> bool:
    """`sv.global_step`."""
    return node.attr == "global_step" and facts.role(node.value) is Role.SUPERVISOR
