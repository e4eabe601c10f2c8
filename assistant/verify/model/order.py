"""What surely comes before what in one run, for a few chosen operations of a program.

For each operation the set of the chosen ones that surely come before it, as bits of a number:
O(edges · k/64) for k of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .guards import Guarded
from .kernel import HEAD, TURN, Program
from .turns import turns

FRAMES = frozenset({"Merge", "RefMerge"})  # of TensorFlow 1: their turns may overlap


class Order:
    """Which of the chosen operations come before which."""

    def __init__(self, program: Program, guards: Guarded, chosen: Iterable[int]) -> None:
        self.operations, self.guards = program.operations, guards
        self.loops = turns(program.operations)
        self.heads = [k for k in range(len(self.operations)) if self._turns_overlap(k)]
        backs = (each.back.of for each in map(self.operations.__getitem__, self.heads) if each.back)
        exits = (loop.head for loop in self.loops.values())
        marked = sorted({*chosen, *exits, *self.loops, *self.heads, *backs})
        self.bit = {number: 1 << k for k, number in enumerate(marked)}
        self.earlier = [0] * len(self.operations)
        # One pass is enough but for loops of TensorFlow 1, whose turns may end behind their exits.
        while self._pass() and any(n < loop.back for n, loop in self.loops.items()):
            pass

    def _turns_overlap(self, number: int) -> bool:
        head = self.operations[number]
        if head.kind != HEAD or head.function not in FRAMES or not head.inputs:
            return False
        return self.operations[head.inputs[0].of].value != 1  # parallel_iterations

    def _pass(self) -> bool:
        """Goes through all operations once; whether anything is new."""
        new = False
        for number, operation in enumerate(self.operations):
            found = self._last_turn(number)
            for source in (*(port.of for port in operation.inputs), *operation.controls):
                found |= self._with(source)
            new = new or found != self.earlier[number]
            self.earlier[number] = found
        return new

    def _with(self, number: int) -> int:
        return self.earlier[number] | self.bit.get(number, 0)

    def _last_turn(self, exit: int) -> int:
        """What surely comes before an exit in every turn: each of them hangs on the one before."""
        loop = self.loops.get(exit)
        if loop is None or not self._with(loop.back) & self.bit[loop.head]:
            return 0
        return self._with(loop.back)

    def before(self, first: int, second: int) -> bool:
        """Whether the first surely comes before the second."""
        return bool(self.earlier[second] & self.bit[first])

    def either(self, one: int, other: int) -> bool:
        """Whether one of the two surely comes before the other."""
        return self.before(one, other) or self.before(other, one)

    # ---------------------------------------------------------------- turns of one loop

    def overlap(self, one: int, other: int) -> bool:
        """Whether one may run in a turn before the other has run in an earlier turn, or at once."""
        return any(
            not (self._waits(test, one, other) and self._waits(test, other, one))
            for test in self._loops_of(one) & self._loops_of(other)
            if self._heads(test)
        )

    def _loops_of(self, number: int) -> set[int]:
        return {each.of for each in self.guards.under[number] or () if each.slot == TURN}

    def _heads(self, test: int) -> Sequence[int]:
        tests = ((head, self.operations[head].test) for head in self.heads)
        return [k for k, found in tests if found is not None and self.guards.roots[found] == test]

    def _waits(self, test: int, first: int, second: int) -> bool:
        """Whether `second` waits in every turn for what `first` did in each turn before it."""
        heads, seen = self._heads(test), set[frozenset[int]]()
        reached = frozenset(head for head in heads if self._ends_behind(first, head))
        while reached not in seen:
            if not any(self.before(head, second) for head in reached):
                return False
            seen.add(reached)
            reached = frozenset(
                head for head in heads if any(self._ends_behind(each, head) for each in reached)
            )
        return True

    def _ends_behind(self, number: int, head: int) -> bool:
        """Whether what a head takes over from the turn before is there only after an operation."""
        back = self.operations[head].back
        return back is not None and (back.of == number or self.before(number, back.of))

    def handed_over(self, number: int, later: int) -> set[int] | None:
        """The heads that hand an operation's value on, if only its last turn is open to `later`.

        An exit fires once its own value is there: the last turn may still compute what is for
        another turn, which never comes. What earlier turns did has been waited for.
        """
        for test in self._loops_of(number) - self._loops_of(later):
            heads = set(self._heads(test))
            over = {head for head in heads if self._ends_behind(number, head)}
            waited = {
                loop.head
                for exit, loop in self.loops.items()
                if loop.head in heads and (exit == later or self.before(exit, later))
            }
            if any(self._ends_behind(head, each) for head in over for each in waited):
                return over
        return None
