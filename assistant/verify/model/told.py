"""Says what is wrong with orders in the words of a report: M03, M04 and M05."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .collect import Trouble
from .explain import short, words
from .fault import Fault, Step
from .guards import Guarded
from .kernel import Operation, Program
from .queues import Blocked
from .races import COMMUTES, FETCH, Race

MOST = 5  # races of one variable say enough


def races(found: Iterable[Race], program: Program, graph: str) -> Iterator[Fault | str]:
    """A fault for each variable in a race; notes on what is fetched and on what commutes."""
    by_variable: dict[str, list[Race]] = {}
    for race in found:
        by_variable.setdefault(race.variable, []).append(race)
    for variable, mine in by_variable.items():
        if variable.startswith("distify_probe"):
            continue
        kinds = {race.kind for race in mine}
        if kinds <= {COMMUTES, FETCH}:
            yield _note(variable, kinds)
            continue
        yield _race([race for race in mine if race.kind not in (COMMUTES, FETCH)], program, graph)


def _note(variable: str, kinds: set[str]) -> str:
    if FETCH in kinds:
        return f"what is fetched of {variable} may be its value before the step or after it"
    return f"additions to {variable} come in any order: the sum is the same but for roundings"


def _race(found: Sequence[Race], program: Program, graph: str) -> Fault:
    pairs = [(program.operations[each.first], program.operations[each.second]) for each in found]
    one, other = pairs[0]
    more = f", and {len(found) - 1} more such pairs" if len(found) > 1 else ""
    return Fault(
        "M03",
        "a variable is changed in an order that is left to chance",
        f"{found[0].variable}: nothing orders {words(one)} and {words(other)}{more}",
        where=one.where or other.where,
        names=(found[0].variable,),
        path=tuple(
            dict.fromkeys(Step(op.where, words(op)) for pair in pairs[:MOST] for op in pair)
        ),
        fix="order them: `with tf.control_dependencies([first]):`, or one `Session.run` each",
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


def blocked(found: Blocked, program: Program, graph: str) -> Fault:
    """M05: a queue that can block for ever."""
    operations = [program.operations[number] for number in found.numbers]
    names = ", ".join(short(each.name) for each in operations)
    return Fault(
        "M05",
        "a queue can block for ever",
        f"{short(found.queue)}, which holds {program.queues.get(found.queue)}: there is an order "
        f"in which {names} {'waits' if len(operations) == 1 else 'wait'} for ever",
        where=operations[0].where,
        names=(found.queue,),
        path=tuple(Step(each.where, words(each)) for each in operations),
        fix="give it more room, or take from it before the next entry",
        graph=graph,
    )
