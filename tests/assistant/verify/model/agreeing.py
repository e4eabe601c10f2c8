"""What is proved to agree agrees in every end that exploring finds: two workers of one program.

Their constants differ or not, and so do the values that some variables begin with, as those do that
a program keeps local.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from distify.assistant.verify.model.agree import Agreement, agreement
from distify.assistant.verify.model.compare import differences
from distify.assistant.verify.model.explore import TooMany, explore
from distify.assistant.verify.model.guards import guarded
from distify.assistant.verify.model.judged import Worker
from distify.assistant.verify.model.kernel import FUNCTION, SOURCE, Program
from distify.assistant.verify.model.semantics import Machine

from .random_models import worker

LARGEST = 5_000
BRANCHES = ("read", "set", "set", "add_to", "add", "allreduce", "switch", "switch")
QUEUING = ("read", "set", "set", "enq", "enq", "deq", "deq", "allreduce")


def checked(random: Random, count: int) -> Counter[str]:
    """Checks so many models, beside those that say nothing; how many were of which kind."""
    seen: Counter[str] = Counter()
    while seen["models"] < count:
        check(random, seen)
    return seen


def pair(random: Random, local: frozenset[str]) -> list[Worker]:
    """One program without races, and the same with other values on the second worker."""
    names = ["a", "b"][: random.randrange(3)]
    one = worker(random, names, False, random.choice([BRANCHES, QUEUING]))
    starts = {name: value + (name in local) * 3 for name, value in one.variables.items()}
    two = replace(one, variables=starts)
    if random.random() < 0.6:
        two = _constants(two, more=random.randrange(1, 6))
    return [(each, guarded(each)) for each in (one, two)]


def _constants(program: Program, kind: str = FUNCTION, more: int = 0) -> Program:
    """Another kind, or value, of each of them."""
    operations = (
        replace(each, kind=kind, value=(each.value or 0) + more)
        if each.function == "const"
        else each
        for each in program.operations
    )
    return replace(program, operations=tuple(operations))


def judged(random: Random, workers: list[Worker], local: frozenset[str]) -> Agreement:
    """By comparing the programs, or by what is known of one: its constants may be anything."""
    if random.random() < 0.3:
        return agreement(*workers[0], differences(workers), local=local)
    program = _constants(workers[0][0], SOURCE)
    return agreement(program, guarded(program), local=local)


def check(random: Random, seen: Counter[str]) -> None:
    local = frozenset(name for name in "xy" if random.random() < 0.3)
    workers = pair(random, local)
    found = judged(random, workers, local)
    if any(found.collectives()):  # M02: whether it comes to an end is another question
        seen["M02"] += 1
        return
    machine = Machine([program for program, _ in workers])
    try:
        ends = explore(machine, limit=LARGEST).ends
    except TooMany:
        seen["too large"] += 1
        return
    seen["models"] += 1
    places = [{name: k for k, name in enumerate(names)} for names in machine.variables]
    for variables, _ in ends:
        differ = {n for n in "xy" if len({v[p[n]] for v, p in zip(variables, places)}) > 1}
        assert differ <= found.lost.keys(), (workers[0][0], local, variables)
        seen["proved"] += len(found.lost) < 2
        seen["both"] += len(found.lost) == 1
        seen["lost"] += len(found.lost)
        seen["differ"] += len(differ)
