"""After how many steps a loop whose steps the workers share saves weights, or evaluates.

`if step % 20 == 0: saver.save(…)`: of fewer steps a job would do so less often, or never.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ..data.counters import Asked, asked_counters
from ..facts import Facts
from ..roles import Role
from ..training.session_runs import session_runs
from ..training.training_loops import trains
from .evaluations import OF_MODELS
from .outputs import is_output
from .writing_methods import role

STATE = (Role.MODEL, Role.CHECKPOINT, Role.MANAGER)


def saving_rhythms(facts: Facts) -> Iterator[ast.expr]:
    """The numbers of steps after which weights are written, or a model is tried, and again."""
    for asked in asked_counters(facts):
        if asked.is_rhythm and (saves(facts, asked) or evaluates(facts, asked)):
            yield asked.number


def evaluates(facts: Facts, asked: Asked) -> bool:
    """Whether a model is run there for what it gives, and nothing is trained."""
    if trains(facts, asked.branch):
        return False
    runs = {run.call for run in session_runs(facts)}
    calls = (node for node in within(asked.branch) if isinstance(node, ast.Call))
    return any(
        _is_of_model(facts, call)
        if call not in runs
        else not isinstance(facts.parent(call), ast.Expr)  # an operation that sets something
        for call in calls
    )


def _is_of_model(facts: Facts, call: ast.Call) -> bool:
    func = call.func
    if isinstance(func, ast.Attribute) and func.attr in OF_MODELS:
        return facts.role(func.value) is Role.MODEL
    return facts.role(func) is Role.MODEL


def saves(facts: Facts, asked: Asked) -> bool:
    """Whether weights are written there, which somebody counts on."""
    calls = (node for node in within(asked.branch) if isinstance(node, ast.Call))
    return any(is_output(facts, call) and _is_state(facts, call.func) for call in calls)


def _is_state(facts: Facts, func: ast.expr) -> bool:
    if not isinstance(func, ast.Attribute) or func.attr == "summary":
        return False
    return role(facts, func.value) in STATE
