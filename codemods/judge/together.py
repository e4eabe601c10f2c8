"""**together**: all workers call the same collectives on the same tensors in the same order.

Through calls, early exits, exceptions and loops: no branch on a worker's own value decides it. A
wait for rank 0's file is a collective, and so is each step of a wrapped optimizer. While a tape
records, no such branch decides which variables the loss depends on; what is traced into a graph
with a collective depends on the rank in what it prints alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..library import waiting_calls as table
from ..library.collectives import is_join
from .case import Case, proved
from .meetings import Meetings
from .own import Level, Own, Owners
from .proof import Proof
from .reported import averaged_fits
from .splits import Search, Split
from .traced import Unlike
from .ways import COUNTS

NAME = "together"
HOW = "all workers come to the same collectives, with the same tensors, in the same order"
NO_COLLECTIVE = "nobody waits for another worker"
JOINS = "it calls `hvd.join()`: workers that have come to an end let the others go on"
ASSUMED = (
    "what all workers find in files, arguments and the environment is the same",
    "code outside of the project gives the same for the same arguments",
)
FIX = "let every worker come to it, and put only what needs no other worker under the condition"
TOLD = "let all decide alike: `hvd.broadcast_object({}, root_rank=0)`, or an average of all workers"
WAIT = "those that call it wait for ever"


def prove(case: Case) -> Iterator[Proof]:
    """Whether all workers come to all collectives together."""
    trees = [source.module for source in case.after.values()]
    meetings = Meetings(case.program, trees)

    def owners() -> Owners:
        told = averaged_fits(case.program, meetings.nodes)
        return Owners(case.program, told=told)

    search = Search(case.program, trees, case.parents, meetings, owners)
    found = list(dict.fromkeys(_answers(case, search)))
    yield from found
    if not found:
        is_alone = not search.meetings.certain
        yield proved(NAME, NO_COLLECTIVE) if is_alone else proved(NAME, HOW, *ASSUMED)


def _answers(case: Case, search: Search) -> Iterator[Proof]:
    joins = [c for c in search.meetings.calls if any(map(is_join, search.meetings.names(c)))]
    if joins:
        yield from _joined(case, search, joins[0])
        return
    if not search.meetings.certain:
        return
    yield from (_told(case, search, split) for split in search.splits())
    yield from (_unlike(case, each) for each in search.traces.unlike())
    yield from _counts(case, search)
    yield from _lone_ends(case, search)


# -- in words -------------------------------------------------------------------------------------


def _told(case: Case, search: Search, split: Split) -> Proof:
    """What is wrong at the test, and where the others wait."""
    what = _wanted(case, split.place)
    if isinstance(split.test, ast.stmt):
        why = f"{what}, and an error that one worker meets here leads it past that: {WAIT}"
        return case.not_proved(NAME, split.test, why, FIX)
    test = _spelled(split.test)
    if isinstance(split.place, ast.Call) and search.meetings.is_perhaps(split.place):
        why = f"{what} if that takes a step, which nobody can tell, and `{test}` may differ"
        return case.not_proved(NAME, split.test, why, FIX)
    if split.own.kind == "rank":
        why = f"{what}, and `{test}` lets only some of them come to it: {WAIT}"
        return case.violated(NAME, _guarded(case, split.test), why, FIX)
    if split.own.level is Level.UNKNOWN:
        why = f"{what}, and nobody can tell whether all answer `{test}` alike"
        return case.not_proved(NAME, split.test, why, TOLD.format(test))
    why = f"{what}, and `{test}` is answered by each for itself{_by(case, split.own)}: {WAIT}"
    return case.violated(NAME, split.test, why, TOLD.format(test))


def _guarded(case: Case, test: ast.AST) -> ast.AST:
    """Where it is told: of a result at what stands under the guard, whose line the original has."""
    chain = case.parents.get(test)
    is_guard = case.is_result and isinstance(chain, ast.If) and chain.test is test
    return chain.body[0] if is_guard else test  # type: ignore[union-attr]


def _wanted(case: Case, place: ast.AST | None) -> str:
    """`all workers must call `hvd.allreduce` in line 4`."""
    if place is None:
        return "all workers must go the same way"
    line = case.place(place).line
    if isinstance(place, ast.Call):
        return f"all workers must call `{_spelled(place.func)}` in line {line}"
    return f"all workers must end the training together, in line {line}"


def _by(case: Case, own: Own) -> str:
    """`, by `hvd.rank()` in line 9`."""
    if not isinstance(own.source, (ast.expr, ast.arg)):
        return ""
    return f", by `{_spelled(own.source)}` in line {case.place(own.source).line}"


def _unlike(case: Case, each: Unlike) -> Proof:
    test = _spelled(each.test)
    if each.is_traced:
        why = (
            f"`{test}` lets some workers trace operations that the others don't: that shifts the "
            "names by which tensors meet in this graph, and all wait for ever"
        )
        return case.violated(NAME, each.test, why, "print only what was computed outside of it")
    why = (
        f"`{test}` is answered by each worker for itself{_by(case, each.own)}, and decides which "
        "variables have a gradient: Horovod skips the None of the others, and averages the "
        "gradients of different variables with each other"
    )
    fix = "let every variable take part in the loss of every worker: `+ 0.0 * tf.reduce_sum(…)`"
    return case.violated(NAME, each.test, why, fix)


def _counts(case: Case, search: Search) -> Iterator[Proof]:
    """How many epochs or steps a worker gives to a `fit` by a value of its own."""
    for call, meeting in search.meetings.known.items():
        given = call.keywords if meeting.what in table.OF_WHAT_IT_HOLDS else ()
        for value in (k.value for k in given if k.arg in COUNTS):
            own = search.owners.of(value)
            if own.level is Level.OWN:
                why = (
                    f"`{_spelled(value)}` is each worker's own{_by(case, own)}: one goes on for "
                    "longer than the others, and waits for ever"
                )
                yield case.violated(NAME, value, why, TOLD.format(_spelled(value)))


def _lone_ends(case: Case, search: Search) -> Iterator[Proof]:
    """Callbacks that end the training by a number of this worker's own batch."""
    for call in search.meetings.calls:
        if any(map(table.stops_alone, search.meetings.names(call))):
            name = _spelled(call.func)
            why = f"`{name}` ends the training on the worker whose loss is no number, and {ON}"
            yield case.violated(NAME, call, why, STOP)


ON = "the others wait for ever"
STOP = "end it by the mean of all workers' losses, which is no number on any if it is none on one"


def _joined(case: Case, search: Search, join: ast.Call) -> Iterator[Proof]:
    """`hvd.join()` beside gradients of single rows, which Horovod gathers."""
    calls = search.meetings.calls
    is_dense = any(k.arg == "sparse_as_dense" for c in calls for k in c.keywords)
    rows = (c for c in calls if any(map(table.is_sparse, search.meetings.names(c))))
    made = None if is_dense else next(rows, None)
    if made is not None:
        what = f"`{_spelled(made.func)}` in line {case.place(made).line}"
        why = f"{what} has a gradient of single rows, which workers gather: `join` can't stand in"
        yield case.violated(NAME, join, why, "`sparse_as_dense=True` where gradients are averaged")
    elif case.is_result:
        yield case.not_proved(NAME, join, JOINS)


def _spelled(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) < 60 else f"{text[:56]} …"
