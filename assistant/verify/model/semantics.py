"""What programs of the small language do on N workers: states, and one transition an operation.

A state says what is on each edge (EMPTY, GO, DEAD, a variable or a number), what each variable
holds, which collectives each worker has called, and what is in each queue. An operation fires when
nothing on its inputs is EMPTY; it empties them and fills its outputs. A collective fires twice:
each worker posts its value, and when all have (or have joined), it completes on all at once.

The seed's rules are those for functions, variables, reads and assignments. Ours: what gets a DEAD
input passes it on; switches and merges; heads and exits of loops; queues; Post, Complete and Join.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from .kernel import (
    ASSIGN,
    COLLECTIVE,
    DEQUEUE,
    ENQUEUE,
    EXIT,
    HEAD,
    MERGE,
    READ,
    READS,
    SWITCH,
    VAR,
    Operation,
    Program,
)
from .numbers import Numbers

Token = tuple[Any, ...]
EMPTY, GO, DEAD = ("EMPTY",), ("GO",), ("DEAD",)
JOIN = "HorovodJoin"


class Edge(NamedTuple):
    """From an operation to another; without a source an input, without a target an output."""

    worker: int
    source: int | None
    slot: int
    target: int | None
    kind: str  # data, control, back


class State(NamedTuple):
    """One state; `posted` holds the operation that called and its value, or None."""

    transit: tuple[Token, ...]
    variables: tuple[tuple[int, ...], ...]
    posted: tuple[tuple[tuple[int, int] | None, ...], ...]
    queues: tuple[tuple[tuple[int, ...], ...], ...]


class Transition(NamedTuple):
    """An operation of a worker; with worker -1 the completion of a collective."""

    worker: int
    number: int


def number(value: int) -> Token:
    """A tensor: here a number."""
    return ("T", value)


class Machine:
    """The workers' programs, with their edges."""

    def __init__(self, programs: Sequence[Program], numbers: Numbers | None = None) -> None:
        self.programs = tuple(programs)
        self.numbers = numbers or Numbers()
        self.variables = [list(each.variables) for each in programs]
        self.queues = [list(each.queues) for each in programs]
        every = [(w, k, op) for w, p in enumerate(programs) for k, op in enumerate(p.operations)]
        self.names = sorted({op.of for _, _, op in every if op.kind == COLLECTIVE})
        self.edges: list[Edge] = []
        self.into: dict[Transition, list[int]] = {}
        self.out: dict[Transition, list[int]] = {}
        for worker, k, _ in every:
            self.into[Transition(worker, k)], self.out[Transition(worker, k)] = [], []
        for worker, k, operation in every:
            self._lead_to(worker, k, operation)
        for worker, k, _ in every:
            if not self.out[Transition(worker, k)] or k in programs[worker].fetched:
                self._edge(Edge(worker, k, 0, None, "data"))
        self.transitions = [*self.into, *(Transition(-1, k) for k in range(len(self.names)))]

    def _lead_to(self, worker: int, k: int, operation: Operation) -> None:
        for port in operation.inputs:
            self._edge(Edge(worker, port.of, port.slot, k, "data"))
        for source in operation.controls:
            self._edge(Edge(worker, source, 0, k, "control"))
        if not operation.inputs and not operation.controls:
            self._edge(Edge(worker, None, 0, k, "control"))
        if operation.back is not None:
            self._edge(Edge(worker, operation.back.of, operation.back.slot, k, "back"))

    def _edge(self, edge: Edge) -> None:
        self.edges.append(edge)
        if edge.source is not None:
            self.out[Transition(edge.worker, edge.source)].append(len(self.edges) - 1)
        if edge.target is not None:
            self.into[Transition(edge.worker, edge.target)].append(len(self.edges) - 1)

    def operation(self, transition: Transition) -> Operation:
        """The operation that fires."""
        return self.programs[transition.worker].operations[transition.number]

    # ---------------------------------------------------------------- which may fire

    def initial(self) -> State:
        """Only the inputs are there."""
        return State(
            tuple(GO if edge.source is None else EMPTY for edge in self.edges),
            tuple(tuple(each.variables.values()) for each in self.programs),
            tuple((None,) * len(self.names) for _ in self.programs),
            tuple(((),) * len(each) for each in self.queues),
        )

    def can(self, state: State, transition: Transition) -> bool:
        """Whether it may fire."""
        if transition.worker < 0:
            return self._may_complete(state, transition.number)
        operation, edges = self.operation(transition), self.into[transition]
        if operation.kind == HEAD:
            return bool(self._turn(state, transition))
        tokens = [state.transit[each] for each in edges]
        if EMPTY in tokens:
            return False
        if operation.kind != MERGE and DEAD in tokens:
            return True  # it only passes that on
        return self._has_room(state, transition.worker, operation)

    def _has_room(self, state: State, worker: int, operation: Operation) -> bool:
        if operation.kind == COLLECTIVE:
            return state.posted[worker][self.names.index(operation.of)] is None
        if operation.kind not in (ENQUEUE, DEQUEUE):
            return True
        held = len(state.queues[worker][self.queues[worker].index(operation.of)])
        room = self.programs[worker].queues[operation.of]
        return held > 0 if operation.kind == DEQUEUE else room < 0 or held < room

    def _may_complete(self, state: State, name: int) -> bool:
        return all(
            row[name] is not None or self._has_joined(state, worker)
            for worker, row in enumerate(state.posted)
        ) and any(row[name] is not None for row in state.posted)

    def _has_joined(self, state: State, worker: int) -> bool:
        """Whether a worker has no data any more and takes part in every with zeros."""
        posted = [each for each in state.posted[worker] if each is not None]
        return any(self.programs[worker].operations[k].function == JOIN for k, _ in posted)

    def _turn(self, state: State, transition: Transition) -> list[int]:
        """The inputs of a loop's head that are there: those of the first turn, or of another."""
        edges = self.into[transition]
        first = [each for each in edges if self.edges[each].kind != "back"]
        if all(state.transit[each] != EMPTY for each in first):
            return first
        backs = [each for each in edges if self.edges[each].kind == "back"]
        return backs if backs and all(state.transit[each] != EMPTY for each in backs) else []

    def done(self, state: State) -> bool:
        """Whether every output is there."""
        return all(
            state.transit[k] != EMPTY for k, edge in enumerate(self.edges) if edge.target is None
        )

    # ---------------------------------------------------------------- what it does

    def fire(self, state: State, transition: Transition) -> State:
        """The state after it."""
        if transition.worker < 0:
            return complete(self, state, transition.number)
        return effect(self, state, transition)

    def enabled(self, state: State) -> list[Transition]:
        """Everything that may fire."""
        return [each for each in self.transitions if self.can(state, each)]


# -- what it does to a state ------------------------------------------------------------


class _Firing:
    """One transition of a worker while it changes a state."""

    def __init__(self, machine: Machine, state: State, transition: Transition) -> None:
        self.machine, self.transition = machine, transition
        self.worker = transition.worker
        self.operation: Operation = machine.operation(transition)
        self.transit = list(state.transit)
        self.variables, self.posted, self.queues = state.variables, state.posted, state.queues
        edges = machine.into[transition]
        if self.operation.kind == HEAD:
            edges = machine._turn(state, transition)
        self.again = any(machine.edges[each].kind == "back" for each in edges)
        self.data = [self.transit[e] for e in edges if machine.edges[e].kind != "control"]
        self.dead = any(self.transit[each] == DEAD for each in edges)
        for each in edges:
            self.transit[each] = EMPTY

    def emit(self, value: Token) -> None:
        """The same value on every output; GO on control edges, DEAD where it is."""
        for each in self.machine.out[self.transition]:
            control = self.machine.edges[each].kind == "control"
            self.transit[each] = (GO if value != DEAD else DEAD) if control else value

    def choose(self, slot: int, value: Token) -> None:
        """A switch: the value where it goes, DEAD elsewhere; an exit waits for the last turn."""
        for each in self.machine.out[self.transition]:
            edge = self.machine.edges[each]
            target = edge.target if edge.target is not None else self.transition.number
            leaves = self.machine.programs[self.worker].operations[target].kind == EXIT
            if edge.kind == "control":  # it has run, whichever way it went
                self.transit[each] = GO
            elif edge.slot == slot:
                self.transit[each] = value
            elif not leaves:
                self.transit[each] = DEAD

    def state(self) -> State:
        return State(tuple(self.transit), self.variables, self.posted, self.queues)

    def numbers(self) -> list[int]:
        """The inputs that are numbers; a variable is none."""
        return [each[1] for each in self.data if each[0] == "T"]


def effect(machine: Machine, state: State, transition: Transition) -> State:
    """The state after an operation of a worker has fired."""
    firing = _Firing(machine, state, transition)
    kind = firing.operation.kind
    if kind == MERGE:
        firing.emit(next((each for each in firing.data if each != DEAD), DEAD))
    elif firing.dead:
        if not firing.again:  # what is left of the last turn goes nowhere
            firing.emit(DEAD)
    else:
        RULES.get(kind, _function)(firing)
    return firing.state()


def _function(firing: _Firing) -> None:
    value = firing.machine.numbers.computed(firing.operation, firing.numbers())
    firing.emit(number(value))


def _pass_on(firing: _Firing) -> None:
    firing.emit(firing.data[0] if firing.data else GO)


def _variable(firing: _Firing) -> None:
    firing.emit(("ref", firing.operation.of))


def _read(firing: _Firing) -> None:
    firing.emit(number(_value(firing, firing.operation.accesses[0].variable)))


def _value(firing: _Firing, variable: str) -> int:
    return firing.variables[firing.worker][firing.machine.variables[firing.worker].index(variable)]


def _assign(firing: _Firing) -> None:
    given, machine = firing.numbers(), firing.machine
    held = list(firing.variables[firing.worker])
    for variable, how in firing.operation.accesses:
        if how != READS:
            place = machine.variables[firing.worker].index(variable)
            held[place] = machine.numbers.assigned(firing.operation, variable, held[place], given)
    firing.variables = _replace_at(firing.variables, firing.worker, tuple(held))
    firing.emit(GO)


def _switch(firing: _Firing) -> None:
    value, decision = firing.data[0], firing.data[1][1]
    slots = firing.operation.slots
    two = slots == 2
    slot = int(bool(decision)) if two else min(max(decision, 0), slots - 1)
    firing.choose(slot, value)


def _enqueue(firing: _Firing) -> None:
    place = firing.machine.queues[firing.worker].index(firing.operation.of)
    row = firing.queues[firing.worker]
    added = (*row[place], (firing.numbers() or [0])[0])
    firing.queues = _replace_at(firing.queues, firing.worker, _replace_at(row, place, added))
    firing.emit(number(0))


def _dequeue(firing: _Firing) -> None:
    place = firing.machine.queues[firing.worker].index(firing.operation.of)
    row = firing.queues[firing.worker]
    first, *rest = row[place]
    firing.queues = _replace_at(firing.queues, firing.worker, _replace_at(row, place, tuple(rest)))
    firing.emit(number(first))


def _post(firing: _Firing) -> None:
    name = firing.machine.names.index(firing.operation.of)
    value = (firing.transition.number, (firing.numbers() or [0])[0])
    row = _replace_at(firing.posted[firing.worker], name, value)
    firing.posted = _replace_at(firing.posted, firing.worker, row)


RULES: Mapping[str, Callable[[_Firing], None]] = {
    VAR: _variable,
    READ: _read,
    ASSIGN: _assign,
    SWITCH: _switch,
    HEAD: _pass_on,
    EXIT: _pass_on,
    ENQUEUE: _enqueue,
    DEQUEUE: _dequeue,
    COLLECTIVE: _post,
}


def complete(machine: Machine, state: State, name: int) -> State:
    """All workers have called a collective, or joined: each gets what it gives."""
    transit = list(state.transit)
    calls = [(worker, row[name]) for worker, row in enumerate(state.posted)]
    made = [(Transition(worker, call[0]), call[1]) for worker, call in calls if call is not None]
    operations = [machine.operation(transition) for transition, _ in made]
    fits = len({(each.function, each.digest) for each in operations}) == 1
    for transition, _ in made:
        value = number(_result(machine, transition, made)) if fits else DEAD
        for each in machine.out[transition]:
            control = machine.edges[each].kind == "control"
            transit[each] = (GO if fits else DEAD) if control else value
    posted = tuple(_replace_at(row, name, None) for row in state.posted)
    return State(tuple(transit), state.variables, posted, state.queues)


def _result(
    machine: Machine, transition: Transition, made: Sequence[tuple[Transition, int]]
) -> int:
    """A broadcast gives the first worker's value, anything else a sum (those that joined: zero)."""
    operation = machine.operation(transition)
    if "roadcast" in operation.function:
        return made[0][1]
    mine = sum(value for _, value in made)
    return mine if operation.agrees else mine + transition.worker


def _replace_at(row: tuple, place: int, value: object) -> tuple:  # type: ignore[type-arg]
    return (*row[:place], value, *row[place + 1 :])
