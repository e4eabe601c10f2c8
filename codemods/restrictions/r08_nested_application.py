"""`optimizer.apply_gradients(…)` can be made a statement (seed 001, R08) with a broadcast after."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts, Pattern
from ..facts.gradients.state_broadcasts import broadcasts
from ..facts.training.pattern import training_of
from ..model import Finding
from . import restriction
from ._finding import stopped


@restriction(code="R08", name="nested-application")
def nested_application(facts: Facts) -> Iterator[Finding]:
    """Calls of `apply_gradients` after which no broadcast can be placed."""
    training = training_of(facts)
    for problem in broadcasts(facts).problems:
        is_of_fit = training.pattern is Pattern.KERAS and training.in_train_step(problem.node)
        if not is_of_fit:  # its callbacks broadcast
            yield stopped(facts, "R08", problem)
