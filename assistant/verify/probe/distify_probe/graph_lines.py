"""Graphs as lines of `rankN.graphs.jsonl`: one graph a line, each written once.

What runs is written before it runs for the first time: one that hangs is to be explained, too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import cells, graph_nodes, naming, places, record
from . import variables as made

LARGE = 96 << 20  # characters of one graph
SMALL = 64  # elements of an argument whose value is looked at
WAITING = ("Enqueue", "Dequeue")
IN_PARTS = "Session.partial_run runs a graph in parts, which is not modelled"

_written: dict[Any, int] = {}  # keys, and the number of the line
_kept: list[Any] = []  # what was written, so that nothing else gets its id


def is_new(key: Any, most: int) -> bool:
    """Whether a graph of that key is to be written; that there are too many is said."""
    if key in _written:
        return False
    if len(_written) >= most:
        record.blind("model", f"more than {most} graphs; only the first ones are written")
        return False
    return record.is_on()


def write(key: Any, kept: Any, graph: Mapping[str, Any]) -> None:
    """Writes a graph; `kept` is what the key is the id of, if it is one."""
    _kept.append(kept)
    line = json.dumps(graph, separators=(",", ":"), default=str)
    _written[key] = -1
    if len(line) > LARGE:
        record.blind("model", "a graph is too large to be written")
        return
    _written[key] = sum(number >= 0 for number in _written.values())
    with open(record.path("graphs.jsonl"), "a", encoding="utf-8") as file:
        file.write(line + "\n")


def number(key: Any) -> int:
    """Which line a graph is, from 0 on; -1: it was not written."""
    return _written.get(key, -1)


# ---------------------------------------------------------------- functions


def of_function(graph: Any, tensors: Sequence[Any], named: Sequence[Any]) -> dict[str, Any]:
    """What a function's graph is, called with these tensors; `named`: variables beside its own."""
    definition = graph.as_graph_def()
    variables = Variables(graph, [*graph.variables, *named], tensors)
    captures = {inner.op.name: variables.capture(outer) for outer, inner in graph.captures}
    inputs = [each.op.name for each in graph.inputs if each.op.name not in captures]
    # A variable may also be handed over, as Horovod's own function for broadcasts is given them.
    for name, tensor in zip(inputs, tensors):
        if id(tensor) in variables.names:
            captures[name] = variables.capture(tensor)
    known = graph_nodes.known(graph.get_operations())
    return {
        "kind": "function",
        "name": graph.name,
        **_content(graph, definition, definition.node, known),
        "arguments": {name: _digest(each) for name, each in zip(inputs, tensors)},
        "captures": captures,
        "trained": [],
        "slots": [],
    }


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


class Variables:
    """Names for variables, one each: a program may give the same name to several."""

    def __init__(self, graph: Any, variables: Sequence[Any], tensors: Sequence[Any] = ()) -> None:
        self.names: dict[int, str] = {}
        taken: dict[str, int] = {}
        # In the order in which they were captured, which is the same on all workers.
        known = {id(each.handle): each for each in variables if hasattr(each, "handle")}
        outers = [*(outer for outer, _ in graph.captures), *tensors]
        captured = [known[id(o)] if id(o) in known else made.behind(o) for o in outers]
        for variable in {id(each): each for each in captured if each is not None}.values():
            name = naming.name_of(variable)  # of Keras 3 as it is called where it is trained
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


def of_session(graph: Any, running: Mapping[str, Any], feeds: Mapping[Any, Any]) -> dict[str, Any]:
    """What a run of a session depends on (`running`, by name), and nothing else of its graph."""
    definition = graph.as_graph_def()
    nodes = [each for each in definition.node if each.name in running]
    others = (each for each in definition.node if each.name not in running)
    return {
        "kind": "session",
        "name": "Session.run",
        **_content(graph, definition, nodes, graph_nodes.known(running.values())),
        "arguments": {_fed(tensor): _fed_digest(value) for tensor, value in feeds.items()},
        "captures": {},
        "trained": [],
        "slots": [],
        "served": sorted(_served(others, {each.name: each for each in definition.node})),
    }


def _served(others: Iterable[Any], known: Mapping[str, Any]) -> set[str]:
    """The queues that what doesn't run here fills or empties, as the model calls them."""
    found = set()
    for each in others:
        if each.op in ("Stage", "Unstage"):
            found.add(each.attr["shared_name"].s.decode("utf-8", "replace"))
        if each.input and any(word in each.op for word in WAITING):
            queue = known.get(each.input[0].partition(":")[0])
            if queue is not None:
                shared = queue.attr["shared_name"].s.decode("utf-8", "replace")
                found.add(shared or queue.name)
    return found


def _fed(tensor: Any) -> str:
    found = tensor.deref() if hasattr(tensor, "deref") else tensor
    return str(found.op.name)


def _fed_digest(value: Any) -> str:
    size = getattr(value, "size", SMALL + 1)
    return hashlib.sha256(value.tobytes()).hexdigest()[:24] if size <= SMALL else ""
