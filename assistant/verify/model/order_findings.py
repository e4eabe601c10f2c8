"""Says what is wrong with orders in the words of a report: M03, M04 and M05."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .collect import Trouble
from .explain import short, words
from .fault import Fault, Step
from .guards import Guarded
from .kernel import Operation, Program
from .queues import Blocked
from .race_outcome import outcome
from .races import COMMUTES, ENTRIES, EXCLUDE, FETCH, HARMLESS, RACE, STARTS, Race

TITLES = {
    RACE: "a variable is changed in an order that is left to chance",
    ENTRIES: "the order of a queue's entries is left to chance",
}


def races(found: Iterable[Race], program: Program, graph: str) -> Iterator[Fault | str]:
    """A fault for each variable and queue in a race; notes on what does no harm."""
    by_variable: dict[str, list[Race]] = {}
    for race in found:
        by_variable.setdefault(race.variable, []).append(race)
    for variable, mine in by_variable.items():
        if variable.startswith("distify_probe"):
            continue
        serious = [race for race in mine if race.kind not in HARMLESS]
        if serious:
            yield _race(serious, program, graph)
        else:
            yield from _notes(variable, mine, program)


def _notes(variable: str, mine: Sequence[Race], program: Program) -> Iterator[str]:
    kinds = {race.kind for race in mine}
    if FETCH in kinds and variable in program.queues:
        yield f"which entry of {short(variable)} is fetched is left to chance"
    elif FETCH in kinds:
        yield f"what is fetched of {variable} may be its value before the step or after it"
    if COMMUTES in kinds:
        yield f"additions to {variable} come in any order: the sum is the same but for roundings"
    if STARTS in kinds:
        yield (
            f"what starts from the first value of {variable} is set in the same run: where that "
            "runs again, it may start from the value before"
        )
    if EXCLUDE in kinds:
        names = ", ".join(sorted({short(race.mutex) for race in mine if race.kind == EXCLUDE}))
        yield f"{variable} is changed in either order, never at once: {names} sees to that"


def _race(found: Sequence[Race], program: Program, graph: str) -> Fault:
    outcomes = [(outcome(each, program), each) for each in found]
    told, race = min(outcomes, key=lambda each: each[0].weight)
    one, other = program.operations[race.first], program.operations[race.second]
    more = f", and {len(found) - 1} more such pairs" if len(found) > 1 else ""
    first, second = words(one, race.variable), words(other, race.variable)
    orders = f"nothing orders {first} and {second}{more}"
    if race.first == race.second:
        orders = f"nothing orders {first} of one turn and of the next{more}"
    return Fault(
        "M03",
        TITLES[race.kind],
        f"{race.variable}: {orders}; {told.text}",
        where=one.where or other.where,
        names=(race.variable,),
        path=told.witness,
        fix=told.fix,
        graph=graph,
    )


def trouble(found: Trouble, workers: Sequence[tuple[Program, Guarded]], graph: str) -> Fault:
    """M04: what keeps collectives from completing."""
    operations = [(k, workers[k][0].operations[n]) for k, n in found.numbers.items()]
    titles = {
        "missing": "a collective that not all workers call",
        "mismatch": "workers call one collective in different ways",
        "step": "workers' collectives are paired out of step",
        "circle": "collectives wait for one another in a circle",
    }
    names = ", ".join(map(short, found.names[:3]))
    texts = {
        "missing": f"{names} is called by {_workers(found.numbers)} only",
        "mismatch": f"{names} differs in kind, type, shape or root between the workers",
        "step": f"{names} of one step of a worker meets that of another step of another",
        "circle": f"{names}: each waits for the next one, in another order on each worker",
    }
    return Fault(
        "M04",
        titles[found.kind],
        texts[found.kind],
        where=operations[0][1].where,
        names=found.names,
        path=tuple(Step(each.where, f"on worker {k}: {_call(each)}") for k, each in operations),
        fix="let every worker make the same calls in the same order",
        graph=graph,
    )


def _call(operation: Operation) -> str:
    return f"{words(operation)} {short(operation.of)}"


def _workers(numbers: Iterable[int]) -> str:
    return " and ".join(f"worker {number}" for number in sorted(numbers))


def served(queue: str) -> str:
    """Why a queue is not judged."""
    return f"whether {short(queue)} can block is not judged: other runs fill or empty it, too"


def blocked(found: Blocked, program: Program, graph: str) -> Fault:
    """M05: a queue, or mutexes, that can block for ever."""
    operations = [program.operations[number] for number in found.numbers]
    mutex = all(each.function == "MutexLock" for each in operations)
    return Fault(
        "M05",
        "mutexes can wait for each other for ever" if mutex else "a queue can block for ever",
        _mutex_words(operations) if mutex else _full(found, operations, program),
        where=operations[0].where,
        names=(found.queue,),
        path=tuple(Step(each.where, words(each)) for each in operations),
        fix="take them in the same order everywhere, or only one of them"
        if mutex
        else "give it more room, or take from it before the next entry",
        graph=graph,
    )


def _mutex_words(operations: Sequence[Operation]) -> str:
    names = " and ".join(dict.fromkeys(short(each.of) for each in operations))
    return f"{names}: there is an order in which who holds one of them waits for the other"


def _full(found: Blocked, operations: Sequence[Operation], program: Program) -> str:
    names = ", ".join(short(each.name) for each in operations)
    wait = "waits" if len(operations) == 1 else "wait"
    room = program.queues.get(found.queue)
    holds = f"{short(found.queue)}, which holds {room}"
    return f"{holds}: there is an order in which {names} {wait} for ever"
