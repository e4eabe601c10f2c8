"""Variables that a run gives their first value, beside what starts from that value, too.

`initialized_value()` takes a variable's value where it is there already, else the value that it is
about to get: while it gets its first one both are the same, whichever comes first. Where the run
is made again, they are not.
"""

from __future__ import annotations

from collections.abc import Iterator

from .guards import PASSES, Guarded
from .kernel import FUNCTION, MERGE, SETS, SWITCH, Operation, Port, Program

ASKING = frozenset({"IsVariableInitialized", "VarIsInitializedOp"})


class Starting:
    """Answers for pairs of operations on one variable."""

    def __init__(self, program: Program, guards: Guarded) -> None:
        self.operations, self.guards = program.operations, guards
        self.asking = [k for k, each in enumerate(self.operations) if each.function in ASKING]

    def alike(self, variable: str, one: int, other: int) -> bool:
        """Whether one gives the variable its first value, and the other would start from it."""
        pairs = ((one, other), (other, one)) if self.asking else ()
        return any(
            self._would_start(variable, reader, value)
            for writer, reader in pairs
            if (value := self._set_to(variable, self.operations[writer])) is not None
        )

    def _set_to(self, variable: str, writer: Operation) -> int | None:
        """Where the value comes from that is written, whatever was there."""
        if (variable, SETS) not in writer.accesses or len(writer.inputs) != 2:
            return None
        return self._source(writer.inputs[1])

    def _would_start(self, variable: str, reader: int, value: int) -> bool:
        asked = self.operations[reader]
        if asked.function in ASKING:
            merges = [k for k in range(len(self.operations)) if reader in self.guards.decided[k]]
            return bool(merges) and all(value in self._ends(k) for k in merges)
        return any(value in self._ends(k) for k in self._merges(variable, reader))

    def _merges(self, variable: str, reader: int) -> Iterator[int]:
        """What a read is made of, or leads to, that is decided by whether the variable is there."""
        tests = {
            k
            for k in self.asking
            if any(each.variable == variable for each in self.operations[k].accesses)
        }
        under = {guard.of for guard in self.guards.under[reader] or ()}
        behind = self._behind(reader)
        for number, operation in enumerate(self.operations):
            decided = tests & {*self.guards.decided[number]}
            if operation.kind == MERGE and decided and (number in behind or decided & under):
                yield number

    def _behind(self, number: int) -> set[int]:
        found, waiting = set[int](), [number]
        while waiting:
            each = waiting.pop()
            if each not in found:
                found.add(each)
                waiting += [port.of for port in self.operations[each].inputs]
        return found

    def _ends(self, merge: int) -> set[int]:
        return {self._source(port) for port in self.operations[merge].inputs}

    def _source(self, port: Port) -> int:
        """The operation that a value comes from unchanged, through switches, too."""
        number = port.of
        while True:
            operation = self.operations[number]
            passes = operation.kind == FUNCTION and operation.function in PASSES
            if not operation.inputs or not (passes or operation.kind == SWITCH):
                return number
            number = operation.inputs[0].of
