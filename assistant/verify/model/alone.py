"""What is said of the graphs of one process: only their orders, M03 and M05."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from . import order_findings, rewriting
from .fault import Fault
from .graph import Graph
from .guards import guarded
from .kernel import Operation, Port, Program, Unmodelled
from .lower import program
from .mutexes import waiting
from .queues import blocked, open_ended
from .races import ENTRIES, Race, races
from .rewriting import Rewriting

ASSUMED = (
    "runs of graphs that did not overlap here never do",
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
    rewritten: int | None = None  # graphs that were compared with what TensorFlow makes of them
    by_ends: int = 0  # of them: by all states in which they can end
    clustered: int = 0  # of them: with XLA's clusters, too


def orders(
    graphs: Sequence[Graph],
    problems: Sequence[str] = (),
    overlaps: Iterable[tuple[int, int]] = (),
    rewritings: Iterable[Rewriting] | None = None,
) -> Orders:
    """Judges each graph by itself, those beside each other whose runs overlapped, and rewritings.

    A fault that several have is told once.
    """
    found = Orders(unmodelled=list(problems))
    faults: list[Fault] = []
    used = [_queues(graph) for graph in graphs]
    for number, graph in enumerate(graphs):
        found.graphs += 1
        others = (names for k, names in enumerate(used) if k != number)
        try:
            faults += _of(graph, graph.served.union(*others), found)
        except Unmodelled as reason:
            found.unmodelled.append(f"{_graph_name(graph)}: {reason}")
    for one, other in overlaps:
        if max(one, other) < len(graphs):
            with suppress(Unmodelled):  # which is said above
                faults += _between(graphs[one], graphs[other], found)
    if rewritings is not None:
        faults += _rewritten(graphs, rewritings, found)
    known = {(each.code, each.where, each.names, each.path): each for each in reversed(faults)}
    found.faults += reversed(known.values())
    found.faults.sort(key=lambda each: each.code)
    found.notes[:] = dict.fromkeys(found.notes)
    found.unmodelled[:] = dict.fromkeys(found.unmodelled)
    return found


def _rewritten(
    graphs: Sequence[Graph], rewritings: Iterable[Rewriting], found: Orders
) -> list[Fault]:
    faults: list[Fault] = []
    found.rewritten = 0
    for each in rewritings:
        if each.of < len(graphs):
            try:
                judged = rewriting.judged(graphs[each.of], each)
                faults += judged.faults
                found.rewritten += 1
                found.by_ends += judged.by_ends
                found.clustered += each.clustered is not None
            except Unmodelled as reason:
                found.unmodelled.append(f"{_graph_name(graphs[each.of])}, rewritten: {reason}")
    return faults


def _queues(graph: Graph) -> frozenset[str]:
    """The queues that a graph fills or empties."""
    with suppress(Unmodelled):
        whole = program(graph)
        return frozenset(waiting(whole, guarded(whole)))
    return frozenset()


def _of(graph: Graph, served: frozenset[str], found: Orders) -> list[Fault]:
    whole = program(graph)
    guards = guarded(whole)
    found.operations += len(whole.operations)
    faults = _only_faults(
        order_findings.races(races(whole, guards), whole, _graph_name(graph)), found
    )
    found.notes += [order_findings.served(each) for each in open_ended(whole, guards, served)]
    stuck = blocked(whole, guards, served)
    return [*faults, order_findings.blocked(stuck, whole, _graph_name(graph))] if stuck else faults


def _between(one: Graph, other: Graph, found: Orders) -> list[Fault]:
    both, pairs = between(program(one), program(other))
    return _only_faults(
        order_findings.races(pairs, both, f"{_graph_name(one)}, {_graph_name(other)}"), found
    )


def _only_faults(each_of_them: Iterable[Fault | str], found: Orders) -> list[Fault]:
    """The faults; notes are kept."""
    faults: list[Fault] = []
    for each in each_of_them:
        if isinstance(each, str):
            found.notes.append(each)
        else:
            faults.append(each)
    return faults


def _graph_name(graph: Graph) -> str:
    return f"{graph.name} ({graph.where})" if graph.where else graph.name


# -- races between two runs of a session that overlap --------------------------------------------


def beside(one: Program, other: Program) -> Program:
    """Two runs on the same variables and queues, with nothing between them."""
    moved = (_shift_operation(each, len(one.operations)) for each in other.operations)
    return Program(
        (*one.operations, *moved),
        {**one.variables, **other.variables},
        {**one.queues, **other.queues},
        references=one.references | other.references,
        unordered=one.unordered | other.unordered,
    )


def _shift_operation(operation: Operation, by: int) -> Operation:
    def port(each: Port) -> Port:
        return Port(each.of + by, each.slot)

    return replace(
        operation,
        inputs=tuple(map(port, operation.inputs)),
        controls=tuple(each + by for each in operation.controls),
        back=port(operation.back) if operation.back else None,
        test=None if operation.test is None else operation.test + by,
    )


def between(one: Program, other: Program) -> tuple[Program, list[Race]]:
    """The two as one program, and the races between them."""
    both = beside(one, other)
    return both, list(_across(both, len(one.operations)))


def _across(both: Program, middle: int) -> Iterator[Race]:
    for race in races(both, guarded(both)):
        if (race.first < middle) != (race.second < middle) and race.kind != ENTRIES:
            yield race._replace(between="runs")
