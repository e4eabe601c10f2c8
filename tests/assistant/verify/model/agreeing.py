"""What is proved to agree agrees in every end that exploring finds: two workers of one program.

A constant of theirs differs, and so do the values that some variables begin with, as those do that
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

from .models import Item, const, item, program

LARGEST = 5_000
ACTS = ("read", "set", "add_to", "branch", "branch", "write in branch", "allreduce", "queue")


def checked(random: Random, count: int) -> Counter[str]:
    """Checks so many models, beside those that say nothing; how many were of which kind."""
    seen: Counter[str] = Counter()
    while seen["models"] < count:
        check(random, seen)
    return seen


def pair(random: Random, local: frozenset[str]) -> list[Worker]:
    """One program without races, and the same with other values on the second worker."""
    one = step(random)
    starts = {name: value + (name in local) * 3 for name, value in one.variables.items()}
    two = _own(replace(one, variables=starts), more=random.randrange(6))
    return [(each, guarded(each)) for each in (one, two)]


def step(random: Random) -> Program:
    """Each act after the one before, with a value of the worker's own and one of all."""
    items = [item("x", "var", arg="x"), item("y", "var", arg="y"), const("own", 1), const("c", 2)]
    values, last = ["own", "c"], ""
    for k in range(random.randrange(3, 6)):
        made = _act(random, random.choice(ACTS), f"n{k}", values, last)
        items += made
        values += [name for name, kind, *_ in made if kind in ("read", "merge", "allreduce", "deq")]
        last = made[-1][0]
    return program(*items, variables={"x": 1, "y": 2}, queues={"q": 9})


def _act(random: Random, kind: str, name: str, values: list[str], after: str) -> list[Item]:
    variable, value = random.choice("xy"), random.choice(values)
    if kind == "read":
        return [item(name, kind, variable, after, variable)]
    if kind in ("set", "add_to"):
        return [item(name, kind, f"{variable} {value}", after, variable)]
    if kind == "allreduce":
        return [item(name, kind, value, after, name)]
    if kind == "queue":
        put = item(f"{name}put", "enq", value, after, "q")
        return [put, item(name, "deq", "", f"{name}put", "q")]
    decided = [
        item(f"{name}p", "gt", random.choice(values), after, random.randrange(4)),
        item(f"{name}s", "switch", f"{value} {name}p"),
        item(f"{name}t", "inc", f"{name}s:1"),
        item(f"{name}m", "merge", f"{name}s:0 {name}t"),
    ]
    if kind == "branch":
        return [*decided, item(name, "set", f"{variable} {name}m", "", variable)]
    write = item(f"{name}w", "set", f"{variable} {name}t", "", variable)
    return [*decided[:3], write, item(name, "merge", f"{name}s:0 {name}t", f"{name}w")]


def _own(plain: Program, kind: str = FUNCTION, more: int = 0) -> Program:
    """Another kind, or another value, of what is each worker's own."""
    operations = (
        replace(each, kind=kind, value=(each.value or 0) + more) if each.name == "own" else each
        for each in plain.operations
    )
    return replace(plain, operations=tuple(operations))


def judged(random: Random, workers: list[Worker], local: frozenset[str]) -> Agreement:
    """By comparing the programs, or by what is known of one: what is its own may be anything."""
    if random.random() < 0.3:
        return agreement(*workers[0], differences(workers), local=local)
    known = _own(workers[0][0], SOURCE)
    return agreement(known, guarded(known), local=local)


def check(random: Random, seen: Counter[str]) -> None:
    local = frozenset(name for name in "xy" if random.random() < 0.3)
    workers = pair(random, local)
    found = judged(random, workers, local)
    if any(found.collectives()):  # M02: whether it comes to an end is another question
        seen["M02"] += 1
        return
    machine = Machine([each for each, _ in workers])
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
