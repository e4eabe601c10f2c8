"""A program while it is being made of a graph: operations so far, and which variable is where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from . import kinds
from .graph import Graph, Node
from .kernel import (
    ADDS,
    CHANGES,
    EXIT,
    FUNCTION,
    HEAD,
    MERGE,
    READ,
    READS,
    SETS,
    SWITCH,
    Access,
    Operation,
    Port,
    Program,
    Unmodelled,
)

LARGEST = 400_000  # operations, with those of a function once for each call of it

# What an output is of a variable: the resource; in TensorFlow 1 a reference, which can be written
# to; or a value that is still the variable's own memory, and is read by whoever takes it.
RESOURCE, REFERENCE, ALIAS = "resource", "reference", "alias"


HOWS = ("", RESOURCE, REFERENCE, ALIAS)


class Refers(NamedTuple):
    """The variables that an output stands for; none where it is a value of its own."""

    variables: tuple[str, ...] = ()
    how: str = ""


NOTHING = Refers()


class Building:
    """Takes operations in the order of their dependence."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.operations: list[Operation] = []
        self.queues: dict[str, int] = {}
        self.unordered: set[str] = set()
        self._reads: dict[Port, Port] = {}
        self._refers: list[Refers] = []

    def add(self, operation: Operation, refers: Refers = NOTHING) -> int:
        """The operation's number. Raises Unmodelled where there are too many."""
        if len(self.operations) >= LARGEST:
            raise Unmodelled(f"more than {LARGEST:,} operations")
        self.operations.append(operation)
        self._refers.append(refers)
        return len(self.operations) - 1

    def read(self, port: Port) -> Port:
        """A value that decides something; of a variable's own memory the reading of it."""
        if self.refers(port).how not in (REFERENCE, ALIAS):
            return port
        if port not in self._reads:
            source, reads = self.operations[port.of], self._read_of(port.of)
            name = f"{source.name}/decides"
            made = Operation(name, READ, (port,), (), "Identity", reads, where=source.where)
            self._reads[port] = Port(self.add(made))
        return self._reads[port]

    def _read_of(self, number: int) -> tuple[Access, ...]:
        return tuple(Access(name, READS) for name in self._refers[number].variables)

    def pass_on(self, operation: Operation) -> int:
        """The same for one whose outputs are its first input, variables too."""
        handed = operation.inputs if operation.kind == MERGE else operation.inputs[:1]
        found = [self.refers(port) for port in handed]
        variables = dict.fromkeys(name for each in found for name in each.variables)
        how = max((each.how for each in found if each.variables), key=HOWS.index, default="")
        if how == REFERENCE and not operation.function.startswith("Ref"):
            how = ALIAS
        return self.add(operation, Refers(tuple(variables), how))

    def change(self, number: int, **fields: object) -> None:
        """Completes an operation that could not be known in full when it was added."""
        self.operations[number] = replace(self.operations[number], **fields)  # type: ignore[arg-type]

    def refers(self, port: Port) -> Refers:
        """What is behind an input."""
        return self._refers[port.of]

    def accesses(self, node: Node, inputs: Sequence[Port]) -> tuple[Access, ...]:
        """What an operation does to the variables that it is given.

        Raises Unmodelled where it changes something that can't be told.
        """
        found = dict.fromkeys(
            Access(name, how)
            for k, port in enumerate(inputs)
            for name in self.refers(port).variables
            if (how := self._how(node, k, self.refers(port).how))
        )
        changes = node.kind in kinds.ADDING | kinds.SETTING or node.kind.startswith("ResourceApply")
        if changes and not found:
            raise Unmodelled(f"{node.name} ({node.kind}) changes a variable that is not known")
        return tuple(found)

    def _how(self, node: Node, position: int, how: str) -> str:
        if node.kind in kinds.SHAPES:
            return ""
        if how == ALIAS or node.kind in kinds.READING or node.kind in self.graph.reading:
            return READS
        if node.kind in kinds.SETTING:
            return SETS if position == 0 or node.kind == "HorovodBroadcastInplace" else READS
        if node.kind in kinds.ADDING:
            return ADDS if position == 0 else READS
        if how == REFERENCE and not node.kind.startswith(kinds.WRITING):
            return READS
        return CHANGES

    def program(self) -> Program:
        """Everything that was added; a loop of TensorFlow 1 learns here what decides about it."""
        self._find_tests()
        self._read_at_the_end()
        variables = {name: 0 for each in self._refers for name in each.variables}
        return Program(
            tuple(self.operations),
            variables,
            dict(self.queues),
            references=frozenset(self._of_tensorflow_1()),
            unordered=frozenset(self.unordered),
        )

    def _of_tensorflow_1(self) -> Iterator[str]:
        for each in self._refers:
            if each.how == REFERENCE:
                yield from each.variables

    def _read_at_the_end(self) -> None:
        """A value of TensorFlow 1 that nothing takes is fetched, if anything: it is read then."""
        taken = {port.of for each in self.operations for port in each.inputs}
        taken |= {source for each in self.operations for source in each.controls}
        taken |= {each.back.of for each in self.operations if each.back is not None}
        for number, refers in enumerate(self._refers):
            if refers.how == ALIAS and number not in taken:
                operation = self.operations[number]
                if operation.kind == FUNCTION and not operation.accesses:
                    self.change(number, kind=READ, accesses=self._read_of(number))

    def _find_tests(self) -> None:
        tests = self._tests()
        for number, operation in enumerate(self.operations):
            if operation.kind == HEAD and operation.test is None:
                if number not in tests:
                    raise Unmodelled(f"{operation.name}: a loop without a test")
                self.change(number, test=tests[number])
            elif operation.kind == EXIT and operation.test is None and operation.inputs:
                switch = self.operations[operation.inputs[0].of]
                if switch.kind == SWITCH:
                    self.change(number, test=switch.inputs[1].of)

    def _tests(self) -> Mapping[int, int]:
        return {
            operation.inputs[0].of: operation.inputs[1].of
            for operation in self.operations
            if operation.kind == SWITCH and len(operation.inputs) == 2
        }


def together(name: str, controls: Sequence[int], where: str | None = None) -> Operation:
    """What has run when all of `controls` have."""
    return Operation(name, FUNCTION, controls=tuple(controls), function="NoOp", where=where)
