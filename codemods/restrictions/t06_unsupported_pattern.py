"""TensorFlow 1 loops (Session, MonitoredTrainingSession, Estimator) are not rewritten yet."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts, Pattern
from ..facts.training.pattern import training_of
from ..model import Finding
from . import restriction
from ._finding import finding

SUPPORTED = (Pattern.KERAS, Pattern.GRADIENT_TAPE, Pattern.MULTIPLE, Pattern.UNKNOWN)


@restriction(code="T06", name="unsupported-pattern", settles=True)
def unsupported_pattern(facts: Facts) -> Iterator[Finding]:
    """The first place of a pattern that no rule rewrites."""
    training = training_of(facts)
    if training.pattern not in SUPPORTED:
        yield finding(
            facts,
            training.places[0][0],
            "T06",
            f"training with the TensorFlow 1 API {training.pattern.value} is not rewritten yet",
            "move the loop to Keras `fit` or to tf.GradientTape",
        )
