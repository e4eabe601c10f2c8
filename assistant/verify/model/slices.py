"""A program cut down to what orders and decisions need: for a model that can be explored.

Kept are collectives, queues, what touches a variable that is written and touched again, and the
switches and merges that decide about those. Everything between them becomes an edge, or a function
of which nothing is known; a decision of the worker's own becomes one that may go either way.
"""

from __future__ import annotations

from dataclasses import replace

from .agree import Agreement
from .kernel import (
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
    Operation,
    Port,
    Program,
)
from .tla import CHOICE


def sliced(found: Agreement) -> Program:
    """The part of a program that its orders and decisions hang on."""
    return _Slicing(found).program()


class _Slicing:
    def __init__(self, found: Agreement) -> None:
        self.found, self.operations = found, found.program.operations
        self.under, self.guards = found.guards.under, found.guards
        self.variables = self._shared()
        self.kept = self._kept()
        self.made: list[Operation] = []
        self.places: dict[str, int] = {}
        self.behind: list[tuple[Port, ...]] = []  # what an operation that was cut stands for

    def _shared(self) -> set[str]:
        users: dict[str, list[str]] = {}
        for number, operation in enumerate(self.operations):
            for name, how in operation.accesses if self.under[number] is not None else ():
                users.setdefault(name, []).append(how)
        return {
            name
            for name, hows in users.items()
            if len(hows) > 1 and any(how != READS for how in hows)
        }

    def _kept(self) -> set[int]:
        chosen = {
            number
            for number, operation in enumerate(self.operations)
            if self.under[number] is not None and self._matters(operation)
        }
        tests = {guard.of for number in chosen for guard in self.under[number] or ()}
        for number, operation in enumerate(self.operations):
            if self.under[number] is not None and self._decides(number, operation, tests):
                chosen.add(number)
        return chosen | tests

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
                self.behind.append(self._joined(operation))
        known = self.found.program
        variables = {name: known.variables.get(name, 0) for name in known.variables}
        return Program(
            tuple(self.made),
            {name: value for name, value in variables.items() if name in self.places},
            known.queues,
        )

    def _joined(self, operation: Operation) -> tuple[Port, ...]:
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
        given = self._joined(operation)
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
        return self._add(replace(chosen, kind=operation.kind if operation.of else FUNCTION))

    def _touch(self, operation: Operation, given: tuple[Port, ...]) -> int:
        accesses = tuple(each for each in operation.accesses if each.variable in self.variables)
        variables = tuple(Port(self._variable(each.variable)) for each in accesses)
        if operation.kind != READ and not given:
            given = (self._one(operation, ()),)
        names = {"AssignAdd": "add", "AssignSub": "sub"}
        known = operation.function.removesuffix("VariableOp")
        made = replace(operation, accesses=accesses, function=names.get(known, operation.function))
        if all(how == SETS for _, how in accesses):
            made = replace(made, function="set")
        return self._add(replace(made, inputs=(*variables, *given), controls=()))

    def _variable(self, name: str) -> int:
        if name not in self.places:
            self.places[name] = self._add(Operation(name, VAR, of=name))
        return self.places[name]

    def _one(self, operation: Operation, given: tuple[Port, ...]) -> Port:
        """Several values as one."""
        if len(given) == 1:
            return given[0]
        name = f"{operation.name}/value"
        if not given:
            return Port(self._add(Operation(name, FUNCTION, function="const", value=1)))
        return Port(self._add(Operation(name, FUNCTION, given)))

    def _add(self, operation: Operation) -> int:
        self.made.append(operation)
        return len(self.made) - 1
