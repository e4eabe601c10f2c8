"""Graphs of TensorFlow 1: what of their sessions and Estimators can't be followed."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.sessions import monitored_sessions
from ..facts.sessions.unsupported_sessions import unsupported
from ..facts.training.pattern import is_distributed, runs_graph, runs_sessions, training_of
from ..model import Finding
from . import restriction
from ._finding import finding, stopped

HALF = "this program of TensorFlow 1 uses Horovod already: what it lacks is not added"
ALL = "leave Horovod out, and everything is added; or add what `distify verify` says is missing"


@restriction(code="T06", name="half-distributed", settles=True)
def half_distributed(facts: Facts) -> Iterator[Finding]:
    """Programs of TensorFlow 1 that use Horovod already."""
    if is_distributed(facts) and runs_graph(facts):
        yield finding(facts, training_of(facts).places[0][0], "T06", HALF, ALL)


@restriction(code="T06", name="unfollowed-session", settles=True)
def unfollowed_session(facts: Facts) -> Iterator[Finding]:
    """What of a session's loop, or of an Estimator's training, can't be followed."""
    if runs_sessions(facts):
        problems = unsupported(facts)
    elif runs_graph(facts):
        problems = monitored_sessions.unsupported(facts)
    else:
        return
    for problem in problems:
        yield stopped(facts, "T06", problem)
