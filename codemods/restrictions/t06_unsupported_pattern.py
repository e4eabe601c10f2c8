"""Loops of TensorFlow 1: monitored sessions and estimators, and sessions that can't be followed."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts, Pattern
from ..facts.sessions.unsupported import unsupported
from ..facts.training.graph_patterns import runs_sessions
from ..facts.training.pattern import training_of
from ..model import Finding
from . import restriction
from ._finding import finding, stopped

FITTED = (
    "build what `model_fn` builds as a model of Keras, compile it, and train it with "
    "`model.fit(train_input_fn(), epochs=1)`"
)
REFUSED = (Pattern.ESTIMATOR,)
HALF = "this program of TensorFlow 1 uses Horovod already: what it lacks is not added"
ALL = "leave Horovod out, and everything is added; or add what `distify verify` says is missing"


@restriction(code="T06", name="unsupported-pattern", settles=True)
def unsupported_pattern(facts: Facts) -> Iterator[Finding]:
    """The first place of a pattern that no rule rewrites."""
    training = training_of(facts)
    place = training.places[0][0] if training.places else facts.module
    if training.pattern in REFUSED:
        yield finding(
            facts,
            place,
            "T06",
            f"training with the TensorFlow 1 API {training.pattern.value} is not rewritten yet",
            FITTED,
        )
    elif runs_sessions(facts) and facts.has_horovod:
        yield finding(facts, place, "T06", HALF, ALL)


@restriction(code="T06", name="unfollowed-session", settles=True)
def unfollowed_session(facts: Facts) -> Iterator[Finding]:
    """What of a session's loop can't be followed."""
    if runs_sessions(facts):
        for problem in unsupported(facts):
            yield stopped(facts, "T06", problem)
