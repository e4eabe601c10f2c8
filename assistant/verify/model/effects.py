"""What a transition of the semantics does to a state: one rule for each kind of operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

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
)
from .semantics import DEAD, EMPTY, GO, State, Token, Transition, number

if TYPE_CHECKING:
    from .semantics import Machine


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
    firing.variables = _replaced(firing.variables, firing.worker, tuple(held))
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
    firing.queues = _replaced(firing.queues, firing.worker, _replaced(row, place, added))
    firing.emit(number(0))


def _dequeue(firing: _Firing) -> None:
    place = firing.machine.queues[firing.worker].index(firing.operation.of)
    row = firing.queues[firing.worker]
    first, *rest = row[place]
    firing.queues = _replaced(firing.queues, firing.worker, _replaced(row, place, tuple(rest)))
    firing.emit(number(first))


def _post(firing: _Firing) -> None:
    name = firing.machine.names.index(firing.operation.of)
    value = (firing.transition.number, (firing.numbers() or [0])[0])
    row = _replaced(firing.posted[firing.worker], name, value)
    firing.posted = _replaced(firing.posted, firing.worker, row)


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
    posted = tuple(_replaced(row, name, None) for row in state.posted)
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


def _replaced(row: tuple, place: int, value: object) -> tuple:  # type: ignore[type-arg]
    return (*row[:place], value, *row[place + 1 :])
