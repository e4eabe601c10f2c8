"""Examples inside of graphs: a graph leaves their fingerprints in a queue that the probe empties.

The queue is reached by its name, so nothing of the probe is captured or saved with a function of
the program. What XLA compiles can't reach it: there the graph around it leaves what it passes in.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from . import batches, fingerprint, inside, paired, record, setting
from .cells import Cell

_candidates: Any = weakref.WeakKeyDictionary()  # by graph
_queues: set[str] = set()
_kept: list[tuple[list[Cell], bool]] = []  # the newest values of elements, and whether batches
NUMBERS = ("float16", "float32", "float64", "int8", "uint8", "int16", "int32", "int64", "bool")
MOST_AT_ONCE = 10_000  # entries taken from the queue after one step


@dataclass
class Candidate:
    """Values of a graph that may turn out to be trained on."""

    via: str  # dataset, model
    values: list[Any]
    batch: bool
    context: Any  # the part of the graph that they were made in
    in_xla: bool
    left: bool = False


def note(via: str, values: list[Any], batch: bool) -> None:
    """Remembers values of the graph that is being built."""
    graph = inside.python("framework.ops").get_default_graph()
    context = graph._get_control_flow_context()
    candidate = Candidate(via, values, batch, context, inside.in_xla())
    _candidates.setdefault(graph, []).append(candidate)


def differentiated(from_arguments: bool) -> None:
    """A gradient is taken in the graph that is being built: its examples are trained on.

    `from_arguments`: the batch is known from the arguments of the function that is being traced.
    """
    graph = inside.python("framework.ops").get_default_graph()
    found = []
    while graph is not None:
        found += [(graph, each) for each in _candidates.get(graph, ())]
        graph = getattr(graph, "outer_graph", None)
    reachable = [pair for pair in found if not pair[1].in_xla]
    data = [pair for pair in reachable if pair[1].via == "dataset"]
    if found and not reachable and not from_arguments:
        record.blind("examples", "a graph that XLA compiles has its examples in itself")
    for graph, candidate in data or ([] if from_arguments else reachable):
        if not candidate.left:
            candidate.left = True
            _leave(graph, candidate)


def _leave(graph: Any, candidate: Candidate) -> None:
    """Adds what computes the fingerprints to a graph; blind where there can be none."""
    values = batches.alike(candidate.values) if candidate.batch else candidate.values
    with _building(graph, candidate):
        if not candidate.batch:
            values = [batches.expanded(each) for each in values]
        try:
            rows = fingerprint.of_tensors(values) if values else None
            inputs = fingerprint.of_tensors(values[:-1]) if len(values) > 1 else rows
        except fingerprint.Unknown as reason:
            record.blind("examples", str(reason))
            return
        if candidate.via == "dataset" and setting.ROLE != "baseline":
            _keep(candidate)
        if rows is not None:
            stage = inside.python("ops.gen_data_flow_ops").stage
            stage([rows, inputs], shared_name=_name(candidate.via))
            _queues.add(candidate.via)


def _keep(candidate: Candidate) -> None:
    """Leaves the values themselves, too: `values` finds the newest ones."""
    if any(getattr(each.dtype, "name", "") not in NUMBERS for each in candidate.values):
        return
    cells = []
    for value in candidate.values:
        cells.append(Cell(value.dtype.name, [], None))
        cells[-1].put(value)
    _kept.append((cells, candidate.batch))


def forget_values() -> None:
    """What is found from now on was left later."""
    for cells, _ in _kept:
        for cell in cells:
            cell.clear()


def values() -> list[tuple[list[Any], bool]]:
    """The elements that graphs took since then, as numpy, and whether they are batches."""
    if not inside.eager():
        return []
    found = [([cell.get()[0] for cell in cells], batch) for cells, batch in _kept]
    return [(arrays, batch) for arrays, batch in found if all(each.size for each in arrays)]


@contextlib.contextmanager
def _building(graph: Any, candidate: Candidate) -> Iterator[None]:
    """In the part of the graph in which the values were made, not where the gradient is taken."""
    ops = inside.python("framework.ops")
    context = graph._get_control_flow_context()
    with graph.as_default(), ops.name_scope("distify_probe"), ops.device("/CPU:0"):
        graph._set_control_flow_context(candidate.context)
        try:
            yield
        finally:
            graph._set_control_flow_context(context)


def _name(via: str) -> str:
    return f"distify_probe_examples_{via}"


def left() -> dict[str, list[str]]:
    """All that graphs have left behind since the last time, by how it was seen."""
    if not _queues or not inside.eager():
        return {}
    return {via: _emptied(_name(via)) for via in _queues}


def _emptied(name: str) -> list[str]:
    queue, dtype = inside.python("ops.gen_data_flow_ops"), inside.python("framework.dtypes").int64
    rows: list[str] = []
    with inside.python("framework.ops").device("/CPU:0"):
        size = int(queue.stage_size(dtypes=[dtype, dtype], shared_name=name))
        for _ in range(min(size, MOST_AT_ONCE)):
            both = queue.unstage(dtypes=[dtype, dtype], shared_name=name)
            new, inputs = (fingerprint.hexadecimal(each.numpy()) for each in both)
            if new != inputs:
                paired.note(new, inputs)
            rows += new
    return rows
