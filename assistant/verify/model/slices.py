"""A program cut down to what orders and decisions need: for a model that can be explored.

Kept are collectives, queues, what touches a variable that is written and touched again, and the
switches and merges that decide about those. Everything between them becomes an edge, or a function
of which nothing is known; a decision of the worker's own becomes one that may go either way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from zlib import crc32

from .agree import Agreement
from .guards import Guarded
from .kernel import (
    ADDS,
    ASSIGN,
    COLLECTIVE,
    DEQUEUE,
    ENQUEUE,
    FUNCTION,
    HEAD,
    MERGE,
    READ,
    READS,
    SETS,
    SWITCH,
    TURN,
    VAR,
    Access,
    Operation,
    Port,
    Program,
    Unmodelled,
)
from .kinds import SEVERAL
from .tla.tla_names import CHOICE


def sliced(found: Agreement, around: Iterable[str] | None = None) -> Program:
    """The part of a program that its orders and decisions hang on; or those of some variables.

    Raises Unmodelled where that is in a loop, or takes several entries of a queue at once.
    """
    return _Slicing(found, around).program()


def shared(program: Program, guards: Guarded) -> set[str]:
    """The variables that are written, and touched once more."""
    users: dict[str, list[str]] = {}
    for number, operation in enumerate(program.operations):
        for name, how in operation.accesses if guards.under[number] is not None else ():
            users.setdefault(name, []).append(how)
    return {
        name for name, hows in users.items() if len(hows) > 1 and any(how != READS for how in hows)
    }


def written_from(program: Program, guards: Guarded, variables: Collection[str]) -> set[str]:
    """What else is written with a value that is made of these variables."""
    made, found = set[int](), set[str]()
    for number, operation in enumerate(program.operations):
        reads = any(name in variables and how == READS for name, how in operation.accesses)
        if guards.under[number] is None:
            continue
        if reads or any(port.of in made for port in operation.inputs):
            made.add(number)
            if operation.kind == ASSIGN:
                found |= {each.variable for each in operation.accesses if each.how == SETS}
    return found


def left_out(program: Program) -> list[str]:
    """The loops that are not in that part, each by the name of what decides about its turns."""
    tests = (each.test for each in program.operations if each.kind == HEAD)
    return [program.operations[k].name for k in dict.fromkeys(tests) if k is not None]


class _Slicing:
    def __init__(self, found: Agreement, around: Iterable[str] | None) -> None:
        self.found, self.operations = found, found.program.operations
        self.under, self.guards = found.guards.under, found.guards
        own = shared(found.program, self.guards) if around is None else set(around)
        self.variables = own | written_from(found.program, self.guards, own)
        self.kept = self._numbers_to_keep()
        self.made: list[Operation] = []
        self.places: dict[str, int] = {}
        self.behind: list[tuple[Port, ...]] = []  # what an operation that was cut stands for

    def _numbers_to_keep(self) -> set[int]:
        chosen = {
            number
            for number, operation in enumerate(self.operations)
            if self.under[number] is not None and self._matters(operation)
        }
        for number in range(len(self.operations)):
            self._refuse(number, number in chosen)
        tests = {guard.of for number in chosen for guard in self.under[number] or ()}
        for number, operation in enumerate(self.operations):
            if self.under[number] is not None and self._decides(number, operation, tests):
                chosen.add(number)
        return chosen | tests

    def _refuse(self, number: int, chosen: bool) -> None:
        operation, under = self.operations[number], self.under[number] or ()
        does = chosen or any(each.how != READS for each in operation.accesses)
        if does and any(guard.slot == TURN for guard in under):
            raise Unmodelled(f"{operation.name}: the turns of loops are not written as TLA+")
        if chosen and operation.function in SEVERAL:
            raise Unmodelled(f"{operation.name}: takes or gives several entries of a queue at once")

    def _matters(self, operation: Operation) -> bool:
        touches = any(name in self.variables for name, _ in operation.accesses)
        return touches or operation.kind in (COLLECTIVE, ENQUEUE, DEQUEUE)

    def _decides(self, number: int, operation: Operation, tests: set[int]) -> bool:
        if operation.kind == SWITCH:
            return self.guards.roots[operation.inputs[1].of] in tests
        return operation.kind == MERGE and not tests.isdisjoint(self.guards.decided[number])

    # ---------------------------------------------------------------- what is made of it

    def program(self) -> Program:
        """The smaller program, in the same order."""
        for number, operation in enumerate(self.operations):
            if self.under[number] is None:
                self.behind.append(())
            elif number in self.kept:
                self.behind.append((Port(self._keep(number, operation)),))
            else:
                self.behind.append(self._ports_of(operation))
        known = self.found.program
        variables = {name: known.variables.get(name, 0) for name in known.variables}
        return Program(
            tuple(self.made),
            {name: value for name, value in variables.items() if name in self.places},
            known.queues,
        )

    def _ports_of(self, operation: Operation) -> tuple[Port, ...]:
        """What an operation depends on that was kept; beyond a switch, by its slot."""
        found: dict[Port, None] = {}
        for port in operation.inputs:
            found.update(dict.fromkeys(self._at(port)))
        for number in operation.controls:
            found.update(dict.fromkeys(self.behind[number]))
        return tuple(found)

    def _at(self, port: Port) -> tuple[Port, ...]:
        if port.of in self.kept and self.operations[port.of].kind == SWITCH:
            return tuple(Port(each.of, port.slot) for each in self.behind[port.of])
        return self.behind[port.of]

    def _keep(self, number: int, operation: Operation) -> int:
        given = self._ports_of(operation)
        if operation.kind == SWITCH:
            value, test = (self._one(operation, self._at(each)) for each in operation.inputs)
            return self._add(replace(operation, inputs=(value, test), controls=()))
        if operation.kind == MERGE:
            ends = tuple(self._one(operation, self._at(each)) for each in operation.inputs)
            return self._add(replace(operation, inputs=ends, controls=()))
        if operation.kind in (READ, ASSIGN) or operation.accesses:
            return self._touch(operation, given)
        if operation.kind in (COLLECTIVE, ENQUEUE):
            value = self._one(operation, given)
            return self._add(replace(operation, inputs=(value,), controls=()))
        plain = Operation(operation.name, FUNCTION, given, where=operation.where)
        own = number in self.found.parent
        chosen = replace(plain, function=CHOICE if own else "", value=None if given else 1)
        waits = replace(chosen, kind=operation.kind, of=operation.of)
        return self._add(waits if operation.of else chosen)

    def _touch(self, operation: Operation, given: tuple[Port, ...]) -> int:
        """Each variable that is read beside something else is read by an operation of its own."""
        accesses = tuple(each for each in operation.accesses if each.variable in self.variables)
        written = tuple(each for each in accesses if each.how != READS)
        taken = any(self._at(each) for each in operation.inputs)
        if not written and operation.kind == READ and len(accesses) == 1 and not taken:
            return self._read(operation, accesses[0], given)
        reads = [each for each in accesses if each.how == READS]
        values = (*given, *(Port(self._read(operation, each, given)) for each in reads))
        if not written:
            return self._add_function(operation, values)
        variables = tuple(Port(self._variable(each.variable)) for each in written)
        value = Port(self._value(operation, values))
        hows = {how for _, how in written}
        known = "set" if hows == {SETS} else "add" if hows == {ADDS} else operation.function
        made = replace(operation, accesses=written, function=known)
        return self._add(replace(made, inputs=(*variables, value), controls=()))

    def _read(self, operation: Operation, access: Access, given: tuple[Port, ...]) -> int:
        inputs = (Port(self._variable(access.variable)), *given)
        made = replace(operation, kind=READ, inputs=inputs, controls=(), accesses=(access,))
        return self._add(made)

    def _add_function(self, operation: Operation, values: tuple[Port, ...]) -> int:
        made = replace(operation, accesses=(), inputs=values, controls=())
        if operation.kind in (COLLECTIVE, ENQUEUE):
            return self._add(replace(made, inputs=(self._one(operation, values),)))
        return self._add(replace(made, kind=FUNCTION, function=""))

    def _variable(self, name: str) -> int:
        if name not in self.places:
            self.places[name] = self._add(Operation(name, VAR, of=name))
        return self.places[name]

    def _one(self, operation: Operation, given: tuple[Port, ...]) -> Port:
        """Several values as one."""
        return given[0] if len(given) == 1 else Port(self._value(operation, given))

    def _value(self, operation: Operation, given: tuple[Port, ...]) -> int:
        """What is computed of values, or of nothing: another one for each operation."""
        function, value = "" if given else "const", _salt(operation.name)
        name = f"{operation.name}/value"
        return self._add(Operation(name, FUNCTION, given, function=function, value=value))

    def _add(self, operation: Operation) -> int:
        self.made.append(operation)
        return len(self.made) - 1


def _salt(name: str) -> int:
    """A number that tells one operation from another, the same on all workers."""
    return 1 + crc32(name.encode()) % 97
