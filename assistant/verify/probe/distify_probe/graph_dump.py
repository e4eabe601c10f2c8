"""Writes each training graph once a signature, before it runs for the first time.

`distify verify --model` judges them, without TensorFlow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import functions, graph_lines, graphs, kept_local, record, setting
from .plans import Plan
from .trained import Trained

MANY = 32  # graphs of one worker


@record.careful("model")
def of_function(function: Any, about: Sequence[Trained], tensors: Sequence[Any]) -> None:
    """A compiled function that trains, called from eager code with these tensors."""
    graph = function.graph
    if not graph_lines.is_new(id(graph), MANY):
        return
    trained = [variable for each in about for variable in getattr(each, "variables", ())]
    slots = [variable for each in about for variable in _slots(each)]
    names = graph_lines.Variables(graph, [*graph.variables, *trained, *slots])
    found = {
        **graph_lines.of_function(graph, tensors, [*trained, *slots]),
        "trained": names.of(trained),
        "slots": names.of(slots),
        "local": names.of(kept_local.variables()),
    }
    graph_lines.write(id(graph), graph, found)


def _slots(trained: Any) -> Sequence[Any]:
    slots = trained.slots
    return list(slots() if callable(slots) else slots)


@record.careful("model")
def of_session(plan: Plan, session: Any, feeds: Mapping[Any, Any]) -> None:
    """What a run of a session that trains depends on, and nothing else of its graph."""
    if not graph_lines.is_new(id(plan), MANY):
        return
    variables = [each for t in plan.trained for each in t.variables]
    slots = [each for t in plan.trained for each in t.slots]
    found = {
        **graph_lines.of_session(session.graph, plan.running, feeds),
        "trained": [each.op.name for each in variables if hasattr(each, "op")],
        "slots": [each.op.name for each in slots if hasattr(each, "op")],
        "local": [each.op.name for each in kept_local.variables() if _is_of(each, session)],
    }
    graph_lines.write(id(plan), plan, found)


def _is_of(variable: Any, session: Any) -> bool:
    return getattr(variable, "graph", None) is session.graph


def of_parts() -> None:
    """`Session.partial_run` runs a graph in parts, in an order that the program's Python gives."""
    record.blind("model", graph_lines.IN_PARTS)


if setting.OPTIONS.get("model"):
    functions.before_call.append(of_function)
    graphs.before_run.append(of_session)
    graphs.before_part.append(of_parts)
