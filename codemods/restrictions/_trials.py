"""What is said of tuners, which train a model in each trial."""

from __future__ import annotations

import ast

from ..facts import Facts
from ..library.launchers import OF_TUNERS, TUNERS

TRIALS = (
    "`{}` trains many models, one in each trial: they are what several machines share out, each "
    "with a worker of its own, and Horovod would make every trial one of all workers"
)
SIDE_BY_SIDE = (
    f"run trials side by side, by the tuner's own variables ({OF_TUNERS}); then train the model "
    "of the best trial by `fit` in a script of its own, which distify migrates"
)


def is_tuner(facts: Facts, made: ast.AST) -> bool:
    """Whether a call makes a tuner, or is one of its methods that the text names."""
    return isinstance(made, ast.Call) and (facts.name(made.func) or "").startswith(TUNERS)
