"""Writes each training graph once a signature, before it runs for the first time.

One graph a line of `rankN.graphs.jsonl`; `distify verify --model` judges them, without TensorFlow.
It comes before the run, as a step that hangs is to be explained, too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from . import cells, functions, graph_nodes, graphs, kept_local, places, record, setting
from .plans import Plan
from .trained import Trained
from .variables import name_of

MANY = 32  # graphs of one worker
LARGE = 96 << 20  # characters of one graph
SMALL = 64  # elements of an argument whose value is looked at

_written: set[Any] = set()


def _write(key: Any, graph: Mapping[str, Any]) -> None:
    _written.add(key)
    line = json.dumps(graph, separators=(",", ":"), default=str)
    if len(line) > LARGE:
        record.blind("model", "a training graph is too large to be written")
        return
    with open(record.path("graphs.jsonl"), "a", encoding="utf-8") as file:
        file.write(line + "\n")


def _is_new(key: Any) -> bool:
    if key in _written:
        return False
    if len(_written) >= MANY:
        record.blind("model", f"more than {MANY} training graphs; only the first ones are written")
        return False
    return record.is_on()


# ---------------------------------------------------------------- functions


@record.careful("model")
def of_function(function: Any, about: Sequence[Trained], tensors: Sequence[Any]) -> None:
    """A compiled function that trains, called from eager code with these tensors."""
    graph = function.graph
    if not _is_new(id(graph)):
        return
    definition = graph.as_graph_def()
    trained = [variable for each in about for variable in getattr(each, "variables", ())]
    slots = [variable for each in about for variable in _slots(each)]
    variables = _Variables(graph, [*graph.variables, *trained, *slots])
    captures = {inner.op.name: variables.capture(outer) for outer, inner in graph.captures}
    inputs = [each.op.name for each in graph.inputs if each.op.name not in captures]
    known = graph_nodes.known(graph.get_operations())
    _write(
        id(graph),
        {
            "kind": "function",
            "name": graph.name,
            **_content(graph, definition, definition.node, known),
            "arguments": {name: _digest(each) for name, each in zip(inputs, tensors)},
            "captures": captures,
            "trained": variables.of(trained),
            "slots": variables.of(slots),
            "local": variables.of(kept_local.variables()),
        },
    )
    _kept.append(graph)  # so that no other graph gets its id


_kept: list[Any] = []


def _slots(trained: Any) -> Sequence[Any]:
    slots = trained.slots
    return list(slots() if callable(slots) else slots)


def _content(graph: Any, definition: Any, nodes: Sequence[Any], about: dict[str, Any]) -> Any:
    library = graph_nodes.library(graph, definition.library.function)
    known = [graph_nodes.node(each, about.get(each.name, {})) for each in nodes]
    bodies = [each for body in library.values() for each in body["nodes"]]
    return {
        "where": places.where(),
        "nodes": known,
        "library": library,
        "stateful": graph_nodes.stateful(each["o"] for each in [*known, *bodies]),
        "reading": graph_nodes.reading(),
    }


def _digest(tensor: Any) -> str:
    """Of a small argument; a larger one is a batch, and every worker's own."""
    try:
        array = tensor.numpy()
        small = getattr(array, "size", SMALL + 1) <= SMALL
        return hashlib.sha256(array.tobytes()).hexdigest()[:24] if small else ""
    except Exception:  # an iterator, a ragged tensor: nothing that could be compared
        return ""


class _Variables:
    """Names for variables, one each: a program may give the same name to several."""

    def __init__(self, graph: Any, variables: Sequence[Any]) -> None:
        self.names: dict[int, str] = {}
        taken: dict[str, int] = {}
        # In the order in which they were captured, which is the same on all workers.
        known = {id(each.handle): each for each in variables if hasattr(each, "handle")}
        for variable in (known[id(outer)] for outer, _ in graph.captures if id(outer) in known):
            name = name_of(variable)  # of Keras 3 as it is called where it is trained
            number = taken[name] = taken.get(name, -1) + 1
            plain = name.rpartition(":0")[0] or name
            self.names[id(variable.handle)] = f"{plain}#{number}" if number else plain

    def capture(self, tensor: Any) -> dict[str, Any]:
        """A variable, a constant of eager code, or something else that is captured."""
        if id(tensor) in self.names:
            return {"variable": self.names[id(tensor)]}
        if id(tensor) in cells.captured:
            return {"variable": cells.captured[id(tensor)]}
        if tensor.dtype.name in ("resource", "variant"):
            return {"other": tensor.dtype.name}
        found: dict[str, Any] = {"digest": _digest(tensor)}
        if found["digest"] and tensor.dtype.name in ("bool", "int32", "int64"):
            if not tensor.shape.rank:
                found["value"] = tensor.numpy().item()
        return found

    def of(self, variables: Any) -> list[str]:
        """The names of those that the graph knows."""
        handles = [getattr(variable, "handle", None) for variable in variables]
        return [self.names[id(each)] for each in handles if id(each) in self.names]


# ---------------------------------------------------------------- sessions


@record.careful("model")
def of_session(plan: Plan, session: Any, feeds: Mapping[Any, Any]) -> None:
    """What a run of a session that trains depends on, and nothing else of its graph."""
    key = id(plan)
    if not _is_new(key):
        return
    _kept.append(plan)
    definition = session.graph.as_graph_def()
    behind = plan.running
    nodes = [each for each in definition.node if each.name in behind]
    variables = [each for t in plan.trained for each in t.variables]
    slots = [each for t in plan.trained for each in t.slots]
    _write(
        key,
        {
            "kind": "session",
            "name": "Session.run",
            **_content(session.graph, definition, nodes, graph_nodes.known(behind.values())),
            "arguments": {_fed(tensor): _fed_digest(value) for tensor, value in feeds.items()},
            "captures": {},
            "trained": [each.op.name for each in variables if hasattr(each, "op")],
            "slots": [each.op.name for each in slots if hasattr(each, "op")],
            "local": [each.op.name for each in kept_local.variables() if _is_of(each, session)],
        },
    )


def _is_of(variable: Any, session: Any) -> bool:
    return getattr(variable, "graph", None) is session.graph


def _fed(tensor: Any) -> str:
    found = tensor.deref() if hasattr(tensor, "deref") else tensor
    return str(found.op.name)


def _fed_digest(value: Any) -> str:
    size = getattr(value, "size", SMALL + 1)
    return hashlib.sha256(value.tobytes()).hexdigest()[:24] if size <= SMALL else ""


if setting.OPTIONS.get("model"):
    functions.before_call.append(of_function)
    graphs.before_run.append(of_session)
