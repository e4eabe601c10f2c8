"""Gradients are applied by an optimizer: `w.assign_sub(rate * gradient)` averages nothing.

Horovod's guide for TensorFlow 2 wraps the tape and broadcasts beside `apply_gradients`; a loop
without one is said to be left alone, instead of passing for a program that doesn't train.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, Pattern
from ..facts.flow import Flow
from ..facts.roles import Role
from ..model import Finding
from . import restriction
from ._finding import finding


@restriction(code="G03", name="applied-by-hand")
def applied_by_hand(facts: Facts) -> Iterator[Finding]:
    """The first variable that is changed with a tape's gradients, where no optimizer is."""
    for call in changes(facts):
        yield finding(
            facts,
            call,
            "G03",
            "the gradients are applied without an optimizer: they would not be averaged",
            "apply them with tf.keras.optimizers.SGD(rate).apply_gradients(…)",
        )
        return


def changes(facts: Facts) -> Iterator[ast.Call]:
    """Calls that change a variable by gradients of a tape, in a module that trains nothing else."""
    if facts.pattern is Pattern.UNKNOWN and any(True for _ in facts.creations(Role.TAPE)):
        for call in facts.calls("assign_sub", "assign_add", "assign"):
            if any(_comes_from_a_tape(facts, value) for value in call.args):
                yield call


def _comes_from_a_tape(facts: Facts, value: ast.expr) -> bool:
    flow = Flow(facts)
    flow.follow(value)
    tapes = (call.func.value for call in flow.gradients)  # type: ignore[attr-defined]
    return any(Role.TAPE in facts.roles(tape) for tape in tapes)
