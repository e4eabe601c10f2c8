"""Patterns of TensorFlow 1: a graph is built first, and a session or an Estimator runs it."""

from __future__ import annotations

from ..facts import Facts
from .pattern import Pattern, training_of

SESSIONS = (Pattern.SESSION, Pattern.MONITORED_SESSION)
GRAPHS = (*SESSIONS, Pattern.ESTIMATOR)


def runs_sessions(facts: Facts) -> bool:
    """Whether the module trains by `run` of a session, monitored or not."""
    return training_of(facts).pattern in SESSIONS


def runs_graph(facts: Facts) -> bool:
    """Whether the module trains a graph, by a session or by an Estimator."""
    return training_of(facts).pattern in GRAPHS


def waits_in_graph(facts: Facts) -> bool:
    """Whether `hvd.broadcast` of a number in a line of its own would fail, since a graph trains.

    `hvd.broadcast(0, root_rank=0)` asks the number for its name there, as if it were a tensor. That
    of a tensor only makes an operation, which a session has to run.
    """
    return runs_graph(facts) and not facts.has_horovod
