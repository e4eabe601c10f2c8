"""Training graphs by hand, in as few words as TensorFlow's own names allow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from distify.assistant.verify.model.fault import Answer
from distify.assistant.verify.model.graph import Body, Capture, Graph, Node
from distify.assistant.verify.model.judged import Seen, judged

STATEFUL = frozenset(
    {
        "Placeholder",
        "ReadVariableOp",
        "AssignVariableOp",
        "AssignAddVariableOp",
        "AssignSubVariableOp",
        "RandomUniform",
        "HorovodRank",
        "IteratorGetNext",
        "Mystery",
        "VarHandleOp",
        "If",
        "While",
        "StatefulPartitionedCall",
        "Assert",
    }
)
READING = frozenset({"ReadVariableOp", "ResourceGather"})


def op(text: str, **more: Any) -> Node:
    """`name = Kind(input, ^control)`, as an operation."""
    name, _, rest = text.partition(" = ")
    kind, _, inputs = rest.rstrip(")").partition("(")
    taken = tuple(each.strip() for each in inputs.split(",") if each.strip())
    return Node(name, kind, taken, **more)


def ops(text: str) -> tuple[Node, ...]:
    """One operation a line, with what else is known of it behind a `#`."""
    return tuple(map(_one, filter(None, (line.strip() for line in text.splitlines()))))


def _one(line: str) -> Node:
    plain, _, comment = line.partition("  # ")
    more: dict[str, Any] = dict(word.split("=", 1) for word in comment.split())
    calls = {
        k: more.pop(k) for k in ("f", "cond", "body", "then_branch", "else_branch") if k in more
    }
    if "value" in more:
        more["digest"] = more["value"]
        more["value"] = {"True": True, "False": False}.get(more["value"]) or int(more["value"])
    if "states" in more:
        more["states"] = int(more["states"])
    if "capacity" in more:
        more["capacity"] = int(more["capacity"])
    return op(plain, calls=calls, **more)


def body(arguments: str, text: str, returns: str, controls: str = "") -> Body:
    """A function."""
    return Body(
        tuple(arguments.split()), ops(text), tuple(returns.split()), tuple(controls.split())
    )


def graph(
    text: str,
    library: Mapping[str, Body] | None = None,
    trained: str = "w",
    captures: str = "w",
    arguments: Mapping[str, str] | None = None,
    **more: Any,
) -> Graph:
    """A function of the variables `captures`, which it has as operations of the same names."""
    places = ops("\n".join(f"{name} = Placeholder()" for name in captures.split()))
    fields: dict[str, Any] = {
        "kind": "function",
        "name": "step",
        "slots": (),
        "stateful": STATEFUL,
        "reading": READING,
        "where": "train.py:9",
        **more,
    }
    return Graph(
        nodes=(*places, *ops(text)),
        library=library or {},
        captures={name: Capture(variable=name) for name in captures.split()},
        arguments=arguments or {},
        trained=tuple(trained.split()),
        **fields,
    )


def answer(*graphs: Graph, seen: Seen | None = None) -> Answer:
    """What is said of one graph on all workers, or of one for each."""
    ranks = dict(enumerate(graphs if len(graphs) > 1 else graphs * 2))
    return judged({rank: (each,) for rank, each in ranks.items()}, len(ranks), seen or Seen())


def codes(found: Answer) -> list[str]:
    return [fault.code for fault in found.faults]


def names(found: Answer) -> list[str]:
    return [name for fault in found.faults for name in fault.names]


def without(nodes: Iterable[Node], name: str) -> tuple[Node, ...]:
    return tuple(node for node in nodes if node.name != name)
