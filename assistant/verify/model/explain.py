"""Says what an agreement lacks in the words of a report: M01 and M02, with their ways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .agree import Agreement
from .fault import Fault, Step
from .kernel import DEQUEUE, ENQUEUE, READS, SOURCE, VAR, Operation
from .kinds import FED, READING, collective

LONGEST = 5  # places of a path
AVERAGE_FIRST = "average it first, or let one worker decide for all: `hvd.allreduce(value)`"
DECIDE_ALIKE = (
    "decide by a value that is the same on all workers (`hvd.allreduce(value)`), and take the "
    "collective out of the branch"
)


def drifts(
    found: Agreement,
    values: Agreement,
    trained: Sequence[str],
    slots: Sequence[str] = (),
    graph: str = "",
) -> Iterator[Fault]:
    """M01: variables that should stay equal and needn't, one fault for each way; roots only.

    First those that are written with a value of one's own (`values`, which follows no decisions),
    then those that are written where one decides.
    """
    direct = [*_drifts(values, found, trained, slots, graph)]
    yield from direct
    named = {name for fault in direct for name in fault.names} | set(values.lost)
    others = [name for name in trained if name not in named]
    yield from _drifts(found, found, others, [n for n in slots if n not in named], graph)


def _drifts(
    found: Agreement, whole: Agreement, trained: Sequence[str], slots: Sequence[str], graph: str
) -> Iterator[Fault]:
    lost = [name for name in trained if name in found.lost]
    told = {test for _, test in whole.collectives()}  # M02: who waits there does not drift
    kept = [*lost, *(name for name in slots if name in found.lost)]
    roots = [name for name in kept if not _follows_from_others(found, name, set(lost))]
    roots.sort(key=lambda name: (name not in lost, found.depth.get(found.lost[name], 0)))
    ways: dict[tuple[str | None, ...], list[str]] = {}
    for name in roots:
        if told.isdisjoint(found.path(found.lost[name])):
            places = tuple(step.where for step in _way(found, found.lost[name]))
            ways.setdefault(places, []).append(name)
    for names in ways.values():
        yield _drift(found, names, len(kept) - len(roots), graph)


def _drift(found: Agreement, names: Sequence[str], infected: int, graph: str) -> Fault:
    way = _way(found, found.lost[names[0]])
    return Fault(
        "M01",
        "workers may drift apart",
        _drift_text(names, infected),
        where=next((step.where for step in way if step.where), None),
        names=tuple(names),
        path=way,
        fix=AVERAGE_FIRST,
        graph=graph,
    )


def _drift_text(names: Sequence[str], infected: int) -> str:
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    are = "are" if more else "is"
    text = f"{names[0]}{more} {are} written with a value of the worker's own, or where one decides"
    return f"{text}; {infected} more variables follow from it" if infected else text


def _follows_from_others(found: Agreement, name: str, lost: set[str]) -> bool:
    """Whether a variable differs only as another one does that is told of."""
    first, *rest = [*found.path(found.lost[name])] or [0]
    mine = {each.variable for each in found.program.operations[first].accesses} if rest else set()
    writers = {found.lost[each] for each in lost - mine - {name}}
    return any(number in writers for number in rest)


def waits(found: Agreement, graph: str = "") -> Iterator[Fault]:
    """M02: collectives under a decision of the worker's own, one fault for each decision."""
    by_test: dict[int, list[int]] = {}
    for number, test in found.collectives():
        by_test.setdefault(test, []).append(number)
    for test, numbers in by_test.items():
        operations = [found.program.operations[each] for each in numbers]
        first = operations[0]
        yield Fault(
            "M02",
            "workers may wait for each other for ever",
            _wait_text(operations),
            where=first.where,
            names=tuple(each.of for each in operations),
            path=_way(found, test),
            fix=DECIDE_ALIKE,
            graph=graph,
        )


def _wait_text(operations: Sequence[Operation]) -> str:
    more = f" and {len(operations) - 1} more" if len(operations) > 1 else ""
    kind, are = collective(operations[0].function), "are" if more else "is"
    return (
        f"{kind} {short(operations[0].of)}{more} {are} called only where a value of the worker's "
        "own says so"
    )


def _way(found: Agreement, number: int) -> tuple[Step, ...]:
    """The path to the source over lines of the program, equal neighbours merged."""
    if number not in found.parent:
        return ()
    operations = [found.program.operations[each] for each in found.path(number)]
    steps: list[Step] = []
    for each in operations[:-1]:
        if not steps or steps[-1].where != each.where:
            steps.append(Step(each.where, words(each)))
    steps = (
        [*steps, Step(operations[-1].where, _start(found, operations[-1]))] if operations else []
    )
    if len(steps) <= LONGEST:
        return tuple(steps)
    return (*steps[: LONGEST - 1], steps[-1])


def _start(found: Agreement, operation: Operation) -> str:
    """Where a difference comes from: of a local variable rather its name than what reads it."""
    local = (a.variable for a in operation.accesses if a.variable in found.local)
    name = next(local, "")
    return f"{name}, which each worker keeps for itself" if name else words(operation)


def words(operation: Operation, variable: str = "") -> str:
    """What an operation does, as far as its kind tells, to that variable if it touches it."""
    if operation.kind == SOURCE:
        return source(operation)
    if operation.function in ("MutexLock", "ConsumeMutexLock"):
        return f"{'taking' if operation.kind == ENQUEUE else 'freeing'} of mutex {operation.of}"
    if operation.kind == ENQUEUE:
        return f"an entry into {short(operation.of)}"
    if operation.kind == DEQUEUE:
        return f"an entry of {short(operation.of)}, a queue of each worker's own"
    if operation.kind == VAR:
        return f"variable {operation.of}"
    hows = {each.variable: each.how for each in operation.accesses}
    name = variable if variable in hows else next(iter(hows), "")
    if name and hows[name] == READS and operation.function not in READING:
        return f"{operation.function}, which reads {name}"
    if name:
        return f"{operation.function} of {name}"
    return operation.function or operation.kind


def source(operation: Operation) -> str:
    """Why a value is the worker's own."""
    kind, name = operation.function, short(operation.name)
    if kind in FED:
        return f"`{name}`, which each worker gets for itself"
    if "Iterator" in kind or "Dataset" in kind or kind in ("element", "OptionalGetValue"):
        return "the next examples, each worker's own"
    if "Random" in kind or "Uniform" in kind or kind.startswith("Rng"):
        return f"random numbers of the worker's own ({kind})"
    if kind.startswith("Horovod"):
        return f"{kind.removeprefix('Horovod').lower()} of the worker"
    return f"{kind} {name}, of which nothing is known"


def short(name: str) -> str:
    """The last part of a name."""
    return name.rpartition("/")[2]
