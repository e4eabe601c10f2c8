"""The training loop is in one file: what trains, and what starts it, must be visible in it.

Seed 000, section 3.1, restriction 1.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, Pattern
from ..facts.training.pattern import training_of
from ..model import Finding
from . import restriction
from ._finding import finding

# Of a model's methods, and of an optimizer's `minimize`.
UNTRACED = (
    (
        "what this `{}` trains can't be traced to a Keras model of this file",
        "create the model (or its class) in this file, and call `{}` on a name bound to it",
    ),
    (
        "unknown: what this `{}` trains",
        "create the optimizer by its class in this file: tf.keras.optimizers.Adam(…)",
    ),
)


@restriction(code="T01", name="training-elsewhere")
def training_elsewhere(facts: Facts) -> Iterator[Finding]:
    """`.fit` of something that can't be traced to a model, and modules that start no training."""
    for use in training_of(facts).uncertain:
        method = use.func if isinstance(use, ast.Call) else use
        name = getattr(method, "attr", "fit")
        what, fix = UNTRACED[name == "minimize"]
        yield finding(facts, use, "T01", what.format(name), fix.format(name))
    if training_of(facts).pattern is not Pattern.UNKNOWN and not training_of(facts).starts_here:
        yield finding(
            facts,
            training_of(facts).places[0][0],
            "T01",
            "nothing in this file starts this training: another module does, and `hvd.init()` "
            "belongs there",
            'call it from this file, for example under `if __name__ == "__main__":`',
        )
