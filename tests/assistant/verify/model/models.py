"""Small models by hand, those of the seed's figures among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from distify.assistant.verify.model.kernel import (
    ADDS,
    ASSIGN,
    COLLECTIVE,
    DEQUEUE,
    ENQUEUE,
    FUNCTION,
    MERGE,
    READ,
    READS,
    SETS,
    SWITCH,
    VAR,
    Access,
    Operation,
    Port,
    Program,
)

Item = tuple[str, str, str, str, Any]


def item(name: str, kind: str, inputs: str = "", after: str = "", arg: Any = None) -> Item:
    """`inputs` and `after` are names; `a:1` is an output of a switch."""
    return (name, kind, inputs, after, arg)


def const(name: str, value: int, after: str = "") -> Item:
    return item(name, "const", "", after, value)


def program(
    *items: Item,
    variables: Mapping[str, int] | None = None,
    queues: Mapping[str, int] | None = None,
    fetched: str = "",
) -> Program:
    """One worker; each item after those it depends on."""
    places = {each[0]: number for number, each in enumerate(items)}
    operations = tuple(_operation(each, items, places) for each in items)
    taken = frozenset(places[name] for name in fetched.split())
    return Program(operations, variables or {}, queues or {}, taken)


def _operation(each: Item, items: Sequence[Item], places: Mapping[str, int]) -> Operation:
    name, kind, inputs, after, arg = each
    ports = []
    for word in inputs.split():
        source, _, slot = word.partition(":")
        ports.append(Port(places[source], int(slot or 0)))
    controls = tuple(places[word] for word in after.split())
    made = Operation(name, inputs=tuple(ports), controls=controls, function=kind)
    return _completed(made, kind, arg, items[ports[0].of][4] if ports else None)


def _completed(made: Operation, kind: str, arg: Any, first: Any) -> Operation:
    from dataclasses import replace

    if kind == "var":
        return replace(made, kind=VAR, of=arg)
    if kind == "read":
        return replace(made, kind=READ, accesses=(Access(first, READS),))
    if kind in ("set", "add_to", "sub"):
        how = SETS if kind == "set" else ADDS
        accesses = (Access(first, how),)
        return replace(made, kind=ASSIGN, function=kind.removesuffix("_to"), accesses=accesses)
    if kind in ("allreduce", "broadcast", "HorovodJoin"):
        return replace(made, kind=COLLECTIVE, of=arg or "join")
    if kind in ("enq", "deq"):
        return replace(made, kind=ENQUEUE if kind == "enq" else DEQUEUE, of=arg)
    if kind in ("switch", "merge"):
        return replace(made, kind=SWITCH if kind == "switch" else MERGE, slots=2)
    return replace(made, kind=FUNCTION, value=arg)


X = (item("x", "var", arg="x"), const("D", 2), const("E", 5))
FIG3 = [program(*X, item("a1", "add_to", "x D"), item("a2", "add_to", "x E"), variables={"x": 1})]
FIG4 = [program(*X, item("a1", "set", "x D"), item("a2", "set", "x E"), variables={"x": 1})]
LOST = [
    program(
        *X,
        item("r1", "read", "x"),
        item("s1", "add", "r1 D"),
        item("a1", "set", "x s1"),
        item("r2", "read", "x"),
        item("s2", "add", "r2 E"),
        item("a2", "set", "x s2"),
        variables={"x": 1},
    )
]


def train(after: str = "") -> Program:
    """A step that subtracts an average, and a fetch of the weight beside it."""
    return program(
        item("w", "var", arg="w"),
        const("g", 3),
        item("ga", "allreduce", "g", arg="grad"),
        item("up", "sub", "w ga"),
        item("fetch", "read", "w", after),
        variables={"w": 10},
        fetched="fetch",
    )


def init_and_broadcast(after: str = "") -> list[Program]:
    """`sess.run([init, broadcast])`, with another start on each worker."""
    return [
        program(
            item("w", "var", arg="w"),
            const("rnd", seed),
            item("init", "set", "w rnd"),
            item("rd", "read", "w", after),
            item("b", "broadcast", "rd", arg="bc"),
            item("as", "set", "w b"),
            variables={"w": 0},
        )
        for seed in (7, 9)
    ]


def in_order(first: str, second: str, eager: bool) -> Program:
    """Two collectives; in eager code the first one blocks."""
    return program(
        const("v", 1),
        item("c1", "allreduce", "v", arg=first),
        item("c2", "allreduce", "v", "c1" if eager else "", second),
    )


def with_metric(extra: bool) -> Program:
    """A metric that is averaged before the gradient, on one worker only."""
    metric = [item("m", "allreduce", "v", arg="metric")] if extra else []
    return program(
        const("v", 1), *metric, item("g", "allreduce", "v", "m" if extra else "", "grad")
    )


def branch(loss: int) -> Program:
    """A collective in a branch that the worker's own loss decides, as `tf.cond` is laid out."""
    return program(
        const("loss", loss),
        item("p", "gt", "loss", arg=3),
        item("sw", "switch", "loss p"),
        item("ar", "allreduce", "sw:1", arg="clip"),
        item("el", "id", "sw:0"),
        item("mg", "merge", "ar el"),
        item("w", "var", arg="w"),
        item("up", "sub", "w mg"),
        variables={"w": 100},
    )


def queue(room: int, after: str) -> list[Program]:
    """Two entries and one removal."""
    return [
        program(
            const("a", 1),
            const("b", 2),
            item("e1", "enq", "a", arg="q"),
            item("e2", "enq", "b", arg="q"),
            item("d", "deq", "", after, "q"),
            queues={"q": room},
        )
    ]


# Programs by name, with: states in full (as TLC counts them), states reduced, ends, deadlock,
# agreement at the end, races that don't commute (in QUEUE_ROOM: which entry is the first).
ALL: dict[str, tuple[list[Program], tuple[int, int, int, bool, bool, int]]] = {
    "FIG3": (FIG3, (13, 6, 1, False, True, 0)),
    "FIG4": (FIG4, (14, 8, 2, False, True, 1)),
    "LOST_UPDATE": (LOST, (48, 22, 3, False, True, 3)),
    "RACE": ([train()], (15, 9, 2, False, True, 1)),
    "ORDERED": ([train("up")], (10, 7, 1, False, True, 0)),
    "TWO": ([train("up")] * 2, (52, 12, 1, False, True, 0)),
    "TWO_RACE": ([train()] * 2, (117, 28, 4, False, True, 2)),
    "ASYNC": ([in_order("a", "b", False), in_order("b", "a", False)], (34, 9, 1, False, True, 0)),
    "EAGER": ([in_order("a", "b", True), in_order("b", "a", True)], (9, 5, 0, True, True, 0)),
    "RANK0": ([with_metric(True), with_metric(False)], (9, 5, 0, True, True, 0)),
    "BRANCH_ALIKE": ([branch(5), branch(5)], (245, 18, 1, False, True, 0)),
    "BRANCH_APART": ([branch(5), branch(2)], (238, 15, 0, True, True, 0)),
    "QUEUE": (queue(1, "e1 e2"), (8, 5, 0, True, True, 0)),
    "QUEUE_ROOM": (queue(2, "e1"), (14, 10, 2, False, True, 1)),
    "INIT_BROADCAST": (init_and_broadcast(), (231, 71, 5, False, False, 4)),
    "INIT_BROADCAST_ORDERED": (init_and_broadcast("init"), (53, 14, 1, False, True, 0)),
}
