"""Compiled functions that can wait for nothing but other workers: they hold collectives, and
nothing else that may take its time, such as data that is read in them; data from memory doesn't.

A worker that stands still in one of those waits for other workers, and that is told early.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

from . import fetched, functions, inside, record

# What has a state and never waits: variables, random numbers, calls, what is printed or counted.
HARMLESS = (
    *("VarHandle", "ReadVariable", "Assign", "VarIsInitialized", "VariableShape"),
    *("ResourceApply", "ResourceScatter", "ResourceGather", "ResourceSparse"),
    *("Random", "Multinomial", "TruncatedNormal", "ParameterizedTruncatedNormal"),
    *("StatefulPartitionedCall", "PartitionedCall", "If", "While", "Case"),
    *("Assert", "Print", "Stage", "Placeholder"),
)
MEMORY = ("TensorDataset", "TensorSliceDataset", "RangeDataset", "ConcatenateDataset")
_known: Any = weakref.WeakSet()  # graphs that were looked at


@record.careful("collectives")
def note(function: Any) -> None:
    """Says of a function that holds collectives, before it first runs, whether it is one."""
    graph = function.graph
    if graph in _known or not inside.eager():
        return
    _known.add(graph)
    kinds = set(_kinds(graph))
    if any(kind.startswith("Horovod") for kind in kinds):
        waiting = [kind for kind in kinds if not _never_waits(kind)]
        data = bool(waiting) and all(kind.startswith("Iterator") for kind in waiting)
        record.write("function", closed=not waiting, data=data)


def reads_memory(dataset: Any) -> bool:
    """Whether a data set, and all that it is made of, never waits for a file or for Python."""
    inner = getattr(dataset, "_dataset", None)  # what Keras and strategies wrap
    parts = [each for each in (*dataset._inputs(), inner) if each is not None]
    if not parts and type(dataset).__name__.lstrip("_") not in MEMORY:
        return False
    mapped = [getattr(dataset, name, None) for name in ("_map_func", "_predicate")]
    graphs = [each.function.graph for each in mapped if each is not None]
    return all(map(reads_memory, parts)) and all(
        kind in MEMORY or _never_waits(kind) for graph in graphs for kind in _kinds(graph)
    )


def _kinds(graph: Any) -> Iterator[str]:
    """Of all operations of a graph, and of the functions that they call."""
    seen: set[str] = set()
    waiting: list[str] = []
    for operation in graph.get_operations():
        yield str(operation.type)
        waiting += fetched.functions(operation) if fetched.calls(operation) else []
    while waiting:
        name = waiting.pop()
        definition = None if name in seen else fetched.function_of(graph, name)
        seen.add(name)
        for node in definition.node_def if definition is not None else ():
            yield str(node.op)
            waiting += [a.func.name for a in node.attr.values() if a.HasField("func")]


def _never_waits(kind: str) -> bool:
    """A collective, or an operation that is known to come to its end."""
    if kind.startswith(("Horovod", *HARMLESS)):
        return True
    if "File" in kind:
        return False  # without a state, and as slow as the disk
    known = inside.python("framework.op_def_registry").get(kind)
    return known is not None and not known.is_stateful


functions.before_any.append(note)
