"""What is said of the graphs of one process: only their orders, M03 and M05."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from . import told
from .fault import Fault
from .graph import Graph
from .guards import guarded
from .kernel import Unmodelled
from .lower import program
from .queues import blocked, open_ended
from .races import races

ASSUMED = (
    "each run of a graph, and each call of a function, ends before the next one begins",
    "graphs that this run did not come to are not judged",
)


@dataclass
class Orders:
    """`unmodelled`: why a graph is outside of what is modelled; never to be taken for "no race"."""

    graphs: int = 0
    operations: int = 0
    faults: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unmodelled: list[str] = field(default_factory=list)


def orders(graphs: Iterable[Graph], problems: Sequence[str] = ()) -> Orders:
    """Judges each graph by itself; a fault that several have is told once."""
    found = Orders(unmodelled=list(problems))
    known: set[tuple[object, ...]] = set()
    for graph in graphs:
        found.graphs += 1
        try:
            faults = _of(graph, found)
        except Unmodelled as reason:
            found.unmodelled.append(f"{_called(graph)}: {reason}")
            continue
        for fault in faults:
            key = (fault.code, fault.where, fault.names, fault.path)
            if key not in known:
                known.add(key)
                found.faults.append(fault)
    found.faults.sort(key=lambda each: each.code)
    found.notes[:] = dict.fromkeys(found.notes)
    found.unmodelled[:] = dict.fromkeys(found.unmodelled)
    return found


def _of(graph: Graph, found: Orders) -> list[Fault]:
    whole = program(graph)
    guards = guarded(whole)
    found.operations += len(whole.operations)
    faults: list[Fault] = []
    for each in told.races(races(whole, guards), whole, _called(graph)):
        if isinstance(each, str):
            found.notes.append(each)
        else:
            faults.append(each)
    found.notes += [told.served(each) for each in open_ended(whole, guards, graph.served)]
    stuck = blocked(whole, guards, graph.served)
    return [*faults, told.blocked(stuck, whole, _called(graph))] if stuck else faults


def _called(graph: Graph) -> str:
    return f"{graph.name} ({graph.where})" if graph.where else graph.name
