"""Broadcasts of TensorFlow 2 that come too early, too late, or from another worker on each.

horovod/horovod#1402, #2587; https://horovod.readthedocs.io/en/stable/tensorflow.html, step 6.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..agreement.chance import seeded
from ..facts import Facts
from ..horovod import BROADCAST, calls_of
from ..rank_domain import TAINTED, Taint
from ..roles import Role
from ..training.training_loops import trains
from .rank_tests import rank_test_of
from .unbuilt import is_unbuilt_at

_VARIABLES = "broadcast_variables"
_ROOTS = (
    (("broadcast_global_variables", BROADCAST, "BroadcastGlobalVariablesHook"), 0),
    ((_VARIABLES, "broadcast", "broadcast_", "broadcast_object"), 1),
)
_SETS = ("load_weights", "set_weights", "restore", "read")
_LOADS = ("load_weights", "set_weights", "restore", "load_model", "read")


def own_roots(facts: Facts) -> Iterator[ast.expr]:
    """The root of a broadcast, where each worker names itself."""
    for names, position in _ROOTS:
        for call in calls_of(facts, *names):
            root = facts.argument(call, "root_rank", position)
            if root is not None and facts.program.value(TAINTED, root) is Taint.RANK:
                yield root


def of_nothing(facts: Facts) -> Iterator[ast.Call]:
    """The only broadcast of a model, when the model has no variables yet."""
    calls = list(calls_of(facts, _VARIABLES))
    others = any(True for _ in calls_of(facts, BROADCAST, "broadcast_global_variables"))
    for call in calls if not others else ():
        model = _model(call)
        if model is None or not is_unbuilt_at(facts, model, call):
            continue
        text = ast.unparse(model)
        if not any(each is not call and _may_hold(each, text) for each in calls):
            yield call


def _model(call: ast.Call) -> ast.expr | None:
    """`model` of `broadcast_variables(model.variables, …)`."""
    given = call.args[0] if call.args else None
    is_part = isinstance(given, ast.Attribute) and given.attr.endswith(("variables", "weights"))
    return given.value if is_part else None  # type: ignore[union-attr]


def _may_hold(call: ast.Call, model: str) -> bool:
    """Whether the variables of that model may be among what another call sends."""
    other = _model(call)
    return other is None or ast.unparse(other) == model


def behind_training(facts: Facts) -> Iterator[tuple[ast.Call, ast.stmt]]:
    """The first of the broadcasts, all of which stand behind a loop that trains, and the loop."""
    calls = list(calls_of(facts, _VARIABLES))
    is_alike = bool(seeded(facts)) or any(True for _ in facts.calls(*_LOADS))
    others = any(True for _ in calls_of(facts, BROADCAST, "broadcast_global_variables"))
    loops = [_loop_before(facts, call) for call in calls] if not (is_alike or others) else []
    if loops and loops[0] is not None and None not in loops:
        yield calls[0], loops[0]


def _loop_before(facts: Facts, call: ast.Call) -> ast.stmt | None:
    """The loop that trains above a broadcast that stands in the same block."""
    statement = facts.statement(call)
    if not isinstance(statement, ast.Expr) or facts.in_loop(call):
        return None
    block, number = facts.block(statement)
    loops = (s for s in block[:number] if isinstance(s, (ast.For, ast.While)))
    return next((loop for loop in loops if trains(facts, loop)), None)


def set_by_some(facts: Facts) -> Iterator[tuple[ast.Call, ast.Call]]:
    """What sets variables on some workers between the last broadcast and a loop that trains."""
    calls = [c for c in calls_of(facts, _VARIABLES) if isinstance(facts.parent(c), ast.Expr)]
    for call in facts.calls(*_SETS):
        receiver = call.func.value  # type: ignore[attr-defined]
        is_state = facts.role(receiver) in (Role.MODEL, Role.CHECKPOINT)
        if not is_state or rank_test_of(facts, call, None) is None:
            continue
        before = [each for each in calls if _stands_before(facts, each, call)]
        later = [each for each in calls if each not in before and _may_hold_state(each, receiver)]
        if before and not later and _is_trained_behind(facts, call):
            yield call, before[-1]


def _may_hold_state(call: ast.Call, state: ast.expr) -> bool:
    """Whether a broadcast may send what was set: another name's variables are others."""
    sent = _model(call)
    return sent is None or ast.unparse(sent) == ast.unparse(state)


def _stands_before(facts: Facts, broadcast: ast.Call, call: ast.Call) -> bool:
    """Whether a broadcast is a statement of a block above that of the call, or of one around."""
    block, number = facts.block(facts.statement(broadcast))
    inside = set(facts.parents(call))
    return any(statement in inside for statement in block[number + 1 :])


def _is_trained_behind(facts: Facts, call: ast.Call) -> bool:
    for around in facts.parents(call):
        if isinstance(around, ast.stmt) and isinstance(
            facts.parent(around), (ast.Module, ast.FunctionDef)
        ):
            block, number = facts.block(around)
            later = (s for s in block[number + 1 :] if isinstance(s, (ast.For, ast.While)))
            return any(trains(facts, loop) for loop in later)
    return False
