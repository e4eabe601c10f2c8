"""After how many steps weights are saved in a loop whose steps the workers share.

`if step % 20 == 0: saver.save(…)`: of fewer steps a job would save less often, or never.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ..data.counters import Asked, asked_counters
from ..facts import Facts
from ..roles import Role
from .outputs import is_output
from .writing_methods import role

STATE = (Role.MODEL, Role.CHECKPOINT, Role.MANAGER)


def saving_rhythms(facts: Facts) -> Iterator[ast.expr]:
    """The numbers of steps after which weights are written, and again."""
    for asked in asked_counters(facts):
        if asked.is_rhythm and saves(facts, asked):
            yield asked.number


def saves(facts: Facts, asked: Asked) -> bool:
    """Whether weights are written there, which somebody counts on."""
    calls = (node for node in within(asked.branch) if isinstance(node, ast.Call))
    return any(is_output(facts, call) and _is_state(facts, call.func) for call in calls)


def _is_state(facts: Facts, func: ast.expr) -> bool:
    if not isinstance(func, ast.Attribute) or func.attr == "summary":
        return False
    return role(facts, func.value) in STATE
