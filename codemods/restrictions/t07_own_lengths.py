"""How long a list is decides how many steps are taken, and each worker fills its own.

A replay memory holds as many examples as the worker's own episodes had steps.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.agreement.grown_apart import lengths_apart
from ..facts.training.pattern import training_of
from ..model import Finding
from . import restriction
from ._finding import finding

MESSAGE = (
    "how often this goes on hangs on a list that each worker fills for itself, by a value of its "
    "own in line {}: the others wait for the step that one leaves out"
)
FIX = "take the same number of steps on every worker: `for _ in range(32):`, and draw in each round"


@restriction(code="T07", name="own-lengths")
def own_lengths(facts: Facts) -> Iterator[Finding]:
    """Conditions and loops around a training step that ask for such a length."""
    training, told = training_of(facts), set()
    steps = [call for call, _ in training.places if not training.in_train_step(call)]
    for step in steps:
        for test, own in lengths_apart(facts, step):
            if test not in told:
                told.add(test)
                yield _found(facts, test, own)


def _found(facts: Facts, test: ast.expr, own: ast.AST) -> Finding:
    message = MESSAGE.format(facts.place(own)[0])
    return finding(facts, test, "T07", message, FIX)._replace(proves=True)
