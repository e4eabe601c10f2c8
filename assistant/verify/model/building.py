"""A program while it is being made of a graph: operations so far, and which variable is where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from . import kinds
from .graph import Graph, Node
from .kernel import (
    ADDS,
    CHANGES,
    FUNCTION,
    HEAD,
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


class Building:
    """Takes operations in the order of their dependence."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.operations: list[Operation] = []
        self.queues: dict[str, int] = {}
        self._variable: list[str] = []  # the variable that an operation's output refers to, or ""
        self._reference: list[bool] = []  # whether taking that output means to read it (TF 1)

    def add(self, operation: Operation, variable: str = "", reference: bool = False) -> int:
        """The operation's number. Raises Unmodelled where there are too many."""
        if len(self.operations) >= LARGEST:
            raise Unmodelled(f"more than {LARGEST:,} operations")
        self.operations.append(operation)
        self._variable.append(variable)
        self._reference.append(reference)
        return len(self.operations) - 1

    def pass_on(self, operation: Operation) -> int:
        """The same for one whose outputs are its first input, variables too."""
        first = operation.inputs[0].of if operation.inputs else None
        if first is None:
            return self.add(operation)
        return self.add(operation, self._variable[first], self._reference[first])

    def change(self, number: int, **fields: object) -> None:
        """Completes an operation that could not be known in full when it was added."""
        self.operations[number] = replace(self.operations[number], **fields)  # type: ignore[arg-type]

    def variable(self, port: Port) -> str:
        """The variable behind an input; empty where it is a value."""
        return self._variable[port.of]

    def is_reference(self, port: Port) -> bool:
        """Whether an input is a variable of TensorFlow 1, which is read by whoever takes it."""
        return self._reference[port.of]

    def accesses(self, node: Node, inputs: Sequence[Port]) -> tuple[Access, ...]:
        """What an operation does to the variables that it is given.

        Raises Unmodelled where it changes something that can't be told.
        """
        given = [(k, self.variable(port)) for k, port in enumerate(inputs)]
        found = [Access(name, self._how(node, k, inputs[k])) for k, name in given if name]
        changes = node.kind in kinds.ADDING | kinds.SETTING or node.kind.startswith("ResourceApply")
        if changes and not found:
            raise Unmodelled(f"{node.name} ({node.kind}) changes a variable that is not known")
        return tuple(found)

    def _how(self, node: Node, position: int, port: Port) -> str:
        if node.kind in kinds.READING or node.kind in self.graph.reading:
            return READS
        if node.kind in kinds.SETTING:
            return SETS if position == 0 or node.kind == "HorovodBroadcastInplace" else READS
        if node.kind in kinds.ADDING:
            return ADDS if position == 0 else READS
        if self.is_reference(port) and not node.kind.startswith(kinds.WRITING):
            return READS
        return CHANGES

    def program(self) -> Program:
        """Everything that was added; a loop of TensorFlow 1 learns here what decides about it."""
        self._find_tests()
        variables = {each: 0 for each in self._variable if each}
        return Program(tuple(self.operations), variables, dict(self.queues))

    def _find_tests(self) -> None:
        tests = self._tests()
        for number, operation in enumerate(self.operations):
            if operation.kind == HEAD and operation.test is None:
                if number not in tests:
                    raise Unmodelled(f"{operation.name}: a loop without a test")
                self.change(number, test=tests[number])

    def _tests(self) -> Mapping[int, int]:
        return {
            operation.inputs[0].of: operation.inputs[1].of
            for operation in self.operations
            if operation.kind == SWITCH and len(operation.inputs) == 2
        }


def together(name: str, controls: Sequence[int], where: str | None = None) -> Operation:
    """What has run when all of `controls` have."""
    return Operation(name, FUNCTION, controls=tuple(controls), function="NoOp", where=where)
