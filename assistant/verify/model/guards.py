"""Under which decisions each operation runs, by branches and by turns of loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

from .kernel import EXIT, FUNCTION, HEAD, MERGE, SWITCH, TURN, Guard, Operation, Port, Program

ALWAYS: frozenset[Guard] = frozenset()
PASSES = frozenset({"Identity", "IdentityN", "LoopCond", "StopGradient"})


@dataclass(frozen=True)
class Guarded:
    """`under[k]`: the decisions that operation k needs; None: it never runs.

    `decided[k]`: the operations that decide which of several values a merge or an exit has.
    `dead`: inputs of merges that never arrive, by operation and output.
    """

    under: tuple[frozenset[Guard] | None, ...]
    decided: tuple[tuple[int, ...], ...]
    dead: frozenset[tuple[int, Port]] = frozenset()
    roots: tuple[int, ...] = ()  # the operation that a value comes from unchanged

    def apart(self, one: int, other: int) -> bool:
        """Whether two operations lie in different branches of one decision."""
        taken = {guard.of: guard.slot for guard in self.under[one] or () if guard.slot != TURN}
        mine = [guard for guard in self.under[other] or () if guard.slot != TURN]
        return any(taken.get(guard.of, guard.slot) != guard.slot for guard in mine)


def guarded(program: Program) -> Guarded:
    """Goes through a program once, in its order."""
    return _Guarding(program.operations).all()


class _Guarding:
    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = operations
        self.under: list[frozenset[Guard] | None] = []
        self.decided: list[tuple[int, ...]] = []
        self.roots = _roots(operations)
        self.values = _values(operations, self.roots)

    def all(self) -> Guarded:
        for operation in self.operations:
            under, decided = self._of(operation)
            self.under.append(under)
            self.decided.append(tuple(sorted(decided)))
        return Guarded(
            tuple(self.under), tuple(self.decided), frozenset(self._never()), tuple(self.roots)
        )

    def _never(self) -> Iterator[tuple[int, Port]]:
        for number, operation in enumerate(self.operations):
            if operation.kind == MERGE:
                yield from ((number, p) for p in operation.inputs if self._at(p) is None)

    def _of(self, operation: Operation) -> tuple[frozenset[Guard] | None, Iterable[int]]:
        controls = [self.under[each] for each in operation.controls]
        inputs = [self._at(port) for port in operation.inputs]
        if operation.kind == MERGE:
            merged, decided = self._merge_branches([each for each in inputs if each is not None])
            return _union([*controls, merged]), decided
        under = _union([*controls, *inputs])
        if under is None or operation.test is None:
            return under, ()
        test = self.roots[operation.test]
        if operation.kind == HEAD:
            return under | {Guard(test, TURN)}, ()
        if operation.kind == EXIT:
            return frozenset(each for each in under if each.of != test), (operation.test,)
        return under, ()

    def _at(self, port: Port) -> frozenset[Guard] | None:
        """What an input needs: the slot of a switch needs the decision for it, too."""
        source, under = self.operations[port.of], self.under[port.of]
        if under is None or source.kind != SWITCH:
            return under
        test = self.roots[source.inputs[1].of]
        value = self.values[test]
        if value is None:
            return under | {Guard(test, port.slot)}
        return under if _slot(value, source.slots) == port.slot else None

    def _merge_branches(
        self, inputs: list[frozenset[Guard]]
    ) -> tuple[frozenset[Guard] | None, Iterable[int]]:
        """What is left when the branches of a decision come together."""
        if not inputs:
            return None, ()
        common = reduce(frozenset.intersection, inputs)
        rests = [each - common for each in inputs]
        decided = {guard.of for rest in rests for guard in rest}
        if len(decided) <= 1 or not all(rests):
            return common, decided
        # Branches of several decisions: that all of them were taken can't be told.
        shared = set.intersection(*({guard.of for guard in rest} for rest in rests))
        kept = [guard for rest in rests for guard in rest if guard.of not in shared]
        return common | frozenset(kept), decided


def _union(parts: Iterable[frozenset[Guard] | None]) -> frozenset[Guard] | None:
    found = ALWAYS
    for part in parts:
        if part is None:
            return None
        if part and part is not found:
            found = found | part if found else part
    return found


def _slot(value: int, slots: int) -> int:
    """The branch that is taken: of two by truth, of more by number, the last one for any other."""
    if slots == 2:
        return int(bool(value))
    return value if 0 <= value < slots else slots - 1


def _roots(operations: Sequence[Operation]) -> list[int]:
    """The operation that a value comes from unchanged."""
    roots: list[int] = []
    for number, operation in enumerate(operations):
        passes = operation.kind == FUNCTION and operation.function in PASSES and operation.inputs
        roots.append(roots[operation.inputs[0].of] if passes else number)
    return roots


def _values(operations: Sequence[Operation], roots: Sequence[int]) -> list[int | None]:
    """What is known of constants, and of their negation."""
    values: list[int | None] = []
    for number, operation in enumerate(operations):
        constant = operation.function in ("Const", "const")
        value: int | None = operation.value if constant else None
        if operation.function == "LogicalNot" and operation.inputs:
            denied = values[roots[operation.inputs[0].of]]
            value = None if denied is None else int(not denied)
        values.append(value if roots[number] == number else values[roots[number]])
    return values
