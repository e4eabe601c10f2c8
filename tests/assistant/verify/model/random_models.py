"""Small models by chance: every worker with variables, additions, collectives, a few orders."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from distify.assistant.verify.model.kernel import Program

from .models import Item, const, item, program

KINDS = ("read", "set", "add_to", "add", "allreduce", "allreduce", "switch")
QUEUES = ("enq", "enq", "deq", "add")


def workers(random: Random) -> list[Program]:
    """One or two workers that call the same few collectives, or nearly."""
    names = ["a", "b"][: random.randrange(3)]
    racy = random.random() < 0.5
    if random.random() < 0.15:  # nearly alone: of queues that two workers have little can be said
        return [worker(random, names, racy, QUEUES) for _ in range(random.choice([1, 1, 1, 2]))]
    kinds = (*KINDS, *QUEUES[random.choice([0, 4, 4, 4]) :])
    return [worker(random, names, racy, kinds) for _ in range(random.choice([1, 2, 2]))]


def worker(random: Random, names: Sequence[str], racy: bool, kinds: Sequence[str]) -> Program:
    left = list(names)
    random.shuffle(left)
    if left and random.random() < 0.2:
        left.pop()
    items = [item("x", "var", arg="x"), item("y", "var", arg="y"), const("c", random.randrange(9))]
    values, acts = ["c"], list[str]()
    for k in range(random.randrange(2, 5)):
        after = set(random.sample(acts, min(len(acts), random.randrange(2 if racy else 3))))
        if acts and not racy:
            after.add(acts[-1])
        for each in _act(random, kinds, f"n{k}", values, left, " ".join(sorted(after))):
            items.append(each)
            acts.append(each[0])
            if each[1] in ("read", "add", "allreduce", "merge", "deq"):
                values.append(each[0])
    return program(*items, variables={"x": 1, "y": 2}, queues={"q": random.choice([1, 2])})


def _act(
    random: Random,
    kinds: Sequence[str],
    name: str,
    values: list[str],
    left: list[str],
    after: str,
) -> list[Item]:
    kind, variable, value = random.choice(kinds), random.choice("xy"), random.choice(values)
    if kind == "read":
        return [item(name, kind, variable, after, variable)]
    if kind in ("set", "add_to"):
        return [item(name, kind, f"{variable} {value}", after, variable)]
    if kind == "add":
        return [item(name, kind, f"{value} {random.choice(values)}", after)]
    if kind == "allreduce":
        return [item(name, kind, value, after, left.pop())] if left else []
    if kind == "switch":
        return [
            item(f"{name}p", "gt", random.choice(values), after, random.randrange(5)),
            item(f"{name}s", "switch", f"{value} {name}p"),
            item(f"{name}t", "inc", f"{name}s:1"),
            item(f"{name}m", "merge", f"{name}s:0 {name}t"),
        ]
    return [item(name, kind, value if kind == "enq" else "", after, "q")]
