"""What must hold of every model: judging without exploring says what exploring finds."""

from __future__ import annotations

from collections import Counter
from random import Random

from distify.assistant.verify.model.collect import troubles
from distify.assistant.verify.model.explore import TooMany, explore
from distify.assistant.verify.model.guards import Guarded, guarded
from distify.assistant.verify.model.kernel import COLLECTIVE, DEQUEUE, ENQUEUE, Program
from distify.assistant.verify.model.queues import blocked
from distify.assistant.verify.model.races import COMMUTES, races
from distify.assistant.verify.model.semantics import Machine

from .random_models import workers

LARGEST = 1_500  # states; larger models are left out, and counted


def checked(random: Random, count: int) -> Counter[str]:
    """Checks so many models, beside those that are too large; how many were of which kind."""
    seen: Counter[str] = Counter()
    while seen["models"] < count:
        check(workers(random), seen)
    return seen


def check_queues(
    programs: list[Program], kinds: set[str], deadlock: bool, seen: Counter[str]
) -> None:
    """One worker alone, which both fills a queue and takes from it."""
    seen["queues"] += 1
    if len(programs) == 1 and kinds >= {ENQUEUE, DEQUEUE} and COLLECTIVE not in kinds:
        (program,) = programs
        guards = guarded(program)
        users = [op for op in program.operations if op.kind in (ENQUEUE, DEQUEUE)]
        if not any(guards.under[program.operations.index(each)] for each in users):
            seen["queues alone"] += 1
            assert bool(blocked(program, guards)) == deadlock, program


def decided(worker: tuple[Program, Guarded]) -> bool:
    """Whether a collective of a worker is under a condition."""
    program, guards = worker
    under = zip(program.operations, guards.under)
    return any(operation.kind == COLLECTIVE and each for operation, each in under)


def check(programs: list[Program], seen: Counter[str]) -> None:
    machine = Machine(programs)
    try:
        whole = explore(machine, reduced=False, limit=LARGEST)
    except TooMany:
        seen["too large"] += 1
        return
    short = explore(machine)
    assert whole.ends == short.ends, programs
    assert bool(whole.deadlocks) == bool(short.deadlocks), programs
    assert short.states <= whole.states
    seen["models"] += 1
    seen["full"] += whole.states
    seen["reduced"] += short.states
    seen["deadlock"] += bool(whole.deadlocks)
    kinds = {op.kind for each in programs for op in each.operations}
    if kinds & {ENQUEUE, DEQUEUE}:
        check_queues(programs, kinds, bool(whole.deadlocks), seen)
        return
    workers_of = [(each, guarded(each)) for each in programs]
    if any(map(decided, workers_of)):
        seen["decided"] += 1  # whether a collective is called at all is M02's question
    else:
        assert any(troubles(workers_of)) == bool(whole.deadlocks), programs
    if not any(r.kind != COMMUTES for each in programs for r in races(each, guarded(each))):
        seen["race-free"] += 1
        assert len(whole.ends) == (not whole.deadlocks), programs
