"""Patterns of TensorFlow 1: a graph is built first, and a session or an Estimator runs it."""

from __future__ import annotations

import ast

from ..facts import Facts, recorded
from ..horovod import member
from .pattern import Pattern, training_of

SESSIONS = (Pattern.SESSION, Pattern.MONITORED_SESSION)
GRAPHS = (*SESSIONS, Pattern.ESTIMATOR)
_TELLS = frozenset({"broadcast_object"})


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
    return runs_graph(facts) and not is_distributed(facts)


@recorded
def is_distributed(facts: Facts) -> bool:
    """Whether a module uses Horovod already, and not only to tell all workers a value.

    A line that lets them agree on when to stop is what T07 asks for, before all else is added.
    """
    if not facts.has_horovod or training_of(facts).pattern is not Pattern.SESSION:
        return facts.has_horovod
    used = {member(facts, node) for node in facts.index.nodes(ast.Attribute)} - {None}
    names = (node for node in facts.index.nodes(ast.Name) if _is_horovod(facts, node))
    is_followed = all(isinstance(facts.parent(node), ast.Attribute) for node in names)
    return not (used and used <= _TELLS and is_followed)


def _is_horovod(facts: Facts, node: ast.Name) -> bool:
    return (facts.name(node) or "").split(".")[0] == "horovod"
