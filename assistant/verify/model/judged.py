"""From the graphs of all workers to one answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from . import explain, order_findings
from .agree import Agreement, agreement
from .collect import troubles
from .compare import Differences, differences
from .fault import CONVICTED, NOTE, WAITS, Answer, Fault
from .graph import Graph
from .guards import Guarded, guarded
from .kernel import COLLECTIVE, Program, Unmodelled
from .local import Local, kept
from .lower import program
from .queues import blocked, open_ended
from .races import races

Worker = tuple[Program, Guarded]


@dataclass(frozen=True)
class Seen:
    """What the run of the same program showed."""

    drifted: frozenset[str] = frozenset()  # names of variables that differed
    hung: bool = False
    applied_outside: str | None = None  # where an optimizer is applied in eager code
    problems: tuple[str, ...] = ()  # graphs that could not be read or written


@dataclass
class _Found:
    faults: list[Fault] = field(default_factory=list)
    unmodelled: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    operations: int = 0
    collectives: int = 0
    variables: dict[str, bool] = field(default_factory=dict)  # trained ones: whether they agree
    own: set[str] = field(default_factory=set)
    local: set[str] = field(default_factory=set)


def judged(graphs: Mapping[int, tuple[Graph, ...]], workers: int, seen: Seen) -> Answer:
    """The answer about all training graphs of a run on so many workers."""
    found = _Found(unmodelled=[*seen.problems, *_outside(graphs, workers, seen)])
    count = min((len(each) for each in graphs.values()), default=0)
    for number in range(count):
        same = [graphs[rank][number] for rank in sorted(graphs)]
        try:
            _graph(same, found)
        except Unmodelled as reason:
            found.unmodelled.append(f"{same[0].name}: {reason}")
    return Answer(
        graphs=count,
        operations=found.operations,
        collectives=found.collectives,
        faults=tuple(_grade_faults(found.faults, seen)),
        unmodelled=tuple(dict.fromkeys(found.unmodelled)),
        proved={
            "trained": len(found.variables),
            "agree": sum(found.variables.values()),
            "own": len(found.own),
            "local": len(found.local),
        },
        notes=tuple(dict.fromkeys(found.notes)),
    )


def _outside(graphs: Mapping[int, tuple[Graph, ...]], workers: int, seen: Seen) -> Iterable[str]:
    """What has no graph, or not on all workers."""
    if not any(graphs.values()):
        yield "no training step was seen that is a graph: what runs eagerly has none"
    elif len(graphs) < workers or len({len(each) for each in graphs.values()}) > 1:
        numbers = [len(graphs.get(rank, ())) for rank in range(workers)]
        told_numbers = ", ".join(map(str, numbers))
        yield f"the workers ran different numbers of training graphs ({told_numbers})"
    if seen.applied_outside:
        yield f"an optimizer is applied outside of a graph, at {seen.applied_outside}"


def _graph(same: Sequence[Graph], found: _Found) -> None:
    first = same[0]
    if len({(each.kind, each.name) for each in same}) > 1:
        raise Unmodelled("the workers ran different functions")
    if not all(each.trained for each in same):
        raise Unmodelled("which variables it trains could not be told")
    workers = [(each, guarded(each)) for each in map(program, same)]
    found.operations += len(workers[0][0].operations)
    found.collectives += sum(
        operation.kind == COLLECTIVE and under is not None
        for operation, under in zip(workers[0][0].operations, workers[0][1].under)
    )
    _agreement(same, workers, found)
    for each in order_findings.races(races(*workers[0]), workers[0][0], first.name):
        (found.notes if isinstance(each, str) else found.faults).append(each)  # type: ignore[arg-type]
    found.faults += [
        order_findings.trouble(each, workers, first.name) for each in troubles(workers)
    ]
    found.notes += [order_findings.served(each) for each in open_ended(*workers[0], first.served)]
    if stuck := blocked(*workers[0], first.served):
        found.faults.append(order_findings.blocked(stuck, workers[0][0], first.name))


def _agreement(same: Sequence[Graph], workers: Sequence[Worker], found: _Found) -> None:
    first = same[0]
    differ = differences(workers) if len(workers) > 1 else Differences()
    local = kept(same, *workers[0])
    shared = _only_shared(first, local)
    result = agreement(*workers[0], differ, local=local.differing)
    faults = _faults_of(result, shared, differ, frozenset())
    if faults and (alike := _alike(same)):
        firm = agreement(*workers[0], differ, alike, local=local.differing)
        sure = {
            (each.code, name)
            for each in _faults_of(firm, shared, differ, alike)
            for name in each.names
        }
        faults = [_weigh_fault(each, sure, alike) for each in faults]
    found.faults += faults
    known = workers[0][0].variables
    names = (*shared.trained, *shared.slots)
    for name in names:
        agrees = name not in result.lost
        found.variables[name] = found.variables.get(name, True) and agrees and name in known
    found.local |= local.meant & known.keys()
    others = result.lost.keys() - local.meant - set(names)
    found.own |= {each for each in others if _is_the_programs(each)}


def _only_shared(graph: Graph, local: Local) -> Graph:
    """A graph that trains only what is to be equal on all workers."""
    trained = tuple(name for name in graph.trained if name not in local.meant)
    slots = tuple(name for name in graph.slots if name not in local.meant)
    return replace(graph, trained=trained, slots=slots)


def _faults_of(
    result: Agreement, graph: Graph, differ: Differences, alike: frozenset[str]
) -> list[Fault]:
    if not result.lost:
        return [*explain.waits(result, graph.name)]
    values = agreement(
        result.program, result.guards, differ, alike, decisions=False, local=result.local
    )
    drifts = explain.drifts(result, values, graph.trained, graph.slots, graph.name)
    return [*explain.waits(result, graph.name), *drifts]


def _alike(same: Sequence[Graph]) -> frozenset[str]:
    """Small arguments that had the same value on all workers when the graph first ran."""
    first, *others = [each.arguments for each in same]
    return frozenset(
        name
        for name, digest in first.items()
        if digest and others and all(each.get(name) == digest for each in others)
    )


def _weigh_fault(fault: Fault, sure: set[tuple[str, str]], alike: Iterable[str]) -> Fault:
    """A fault that vanishes if the arguments are always alike, as they were seen to be."""
    if any((fault.code, name) in sure for name in fault.names):
        return fault
    names = ", ".join(f"`{each}`" for each in sorted(alike))
    return replace(
        fault,
        grade=NOTE,
        text=f"{fault.text}; not where {names} are the same on all workers, as they were here",
    )


def _grade_faults(faults: Iterable[Fault], seen: Seen) -> Iterable[Fault]:
    """Convicted is what the run saw, too; each fault once, whatever graphs it is in."""
    known: set[tuple[object, ...]] = set()
    for fault in sorted(faults, key=lambda each: each.code):
        key = (fault.code, fault.where, fault.names, fault.path)
        if key in known:
            continue
        known.add(key)
        drifted = fault.code == "M01" and seen.drifted & set(fault.names)
        hung = fault.code in WAITS and seen.hung
        yield replace(fault, grade=CONVICTED) if drifted or hung else fault


def _is_the_programs(variable: str) -> bool:
    """Not one that the probe put into the graph."""
    return not variable.startswith("distify_probe")
