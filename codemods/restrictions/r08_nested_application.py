"""`optimizer.apply_gradients(…)` can be made a statement (seed 001, R08) with a broadcast after."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts, Pattern
from ..facts.gradients.broadcasts import broadcasts
from ..facts.training.pattern import training_of
from ..model import Finding
from . import restriction
from ._finding import stopped


@restriction(code="R08", name="nested-application")
def nested_application(facts: Facts) -> Iterator[Finding]:
    """Calls of `apply_gradients` after which no broadcast can be placed."""
    if training_of(facts).pattern is Pattern.KERAS:
        return
    for problem in broadcasts(facts).problems:
        yield stopped(facts, "R08", problem)
