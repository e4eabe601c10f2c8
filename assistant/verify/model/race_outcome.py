"""What comes out of a race: which values, one order of operations for it, what would end it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .explain import short, words
from .fault import Step
from .kernel import ADDS, ASSIGN, ENQUEUE, READS, SETS, Operation, Program
from .races import ENTRIES, KEEPING, Race

BETWEEN = {
    "turns": (
        "in turns of one loop, which overlap",
        "let each turn wait for the one before: `with tf.control_dependencies([what it carries]):` "
        "in the loop's body, or `parallel_iterations=1`",
    ),
    "runs": (
        "in runs of a session that overlap",
        "one lock around these runs (`with lock: session.run(…)`), or a `tf.CriticalSection`",
    ),
}


class Outcome(NamedTuple):
    """In words: what comes out, the operations in one order that shows it, and the way out."""

    text: str
    witness: tuple[Step, ...]
    fix: str
    weight: int  # the least is told of a variable with several races


def outcome(race: Race, program: Program) -> Outcome:
    """Of a race that matters (RACE, ENTRIES)."""
    return _Telling(race, program).outcome()


class _Telling:
    def __init__(self, race: Race, program: Program) -> None:
        self.race, self.program = race, program
        self.variable = race.variable
        self.first = program.operations[race.first]
        self.second = program.operations[race.second]

    def outcome(self) -> Outcome:
        if self.race.kind == ENTRIES:
            return self._entries()
        for number, other in (
            (self.race.first, self.second),
            (self.race.second, self.first),
        ):
            if self._how(self.program.operations[number]) == READS:
                return self._read(number, other)
        return self._written()

    def _words(self, operation: Operation) -> str:
        return words(operation, self.variable)

    def _how(self, operation: Operation) -> str:
        hows = [each.how for each in operation.accesses if each.variable == self.variable]
        return next((how for how in hows if how != READS), READS)

    def _read(self, number: int, writer: Operation) -> Outcome:
        reader, kept = self.program.operations[number], self._kept(number)
        mixed = ", or a mixture of both" if self.variable in self.program.references else ""
        if kept is None:
            text = f"{self._words(reader)}: of before or after {self._words(writer)}{mixed}"
            return self._told(text, (writer, reader), 2)
        if self._writes_over(kept) and kept != writer:
            made = f"{self._words(kept)} writes what was made of a value from before"
            text = f"an update can be lost: {made} {self._words(writer)}"
            return self._told(text, (reader, writer, kept), 0)
        if self._how(kept) != READS:
            text = (
                f"`{self.variable}` is changed by what was made of its value from before or after "
                f"{self._words(writer)}{mixed}"
            )
            return self._told(text, (reader, writer, kept), 1)
        into = short(kept.of) if kept.kind != ASSIGN else _written(kept)
        text = f"`{into}` gets `{self.variable}` of before or after {self._words(writer)}{mixed}"
        return self._told(text, (writer, reader, *([kept] if kept != reader else [])), 1)

    def _writes_over(self, operation: Operation) -> bool:
        return (self.variable, SETS) in operation.accesses

    def _kept(self, number: int) -> Operation | None:
        """What keeps a value that is made of what the operation reads; itself, if it does."""
        reached = {number}
        for k in range(number, len(self.program.operations)):
            operation = self.program.operations[k]
            if k in reached or any(port.of in reached for port in operation.inputs):
                reached.add(k)
                if operation.kind in KEEPING:
                    return operation
        return None

    def _written(self) -> Outcome:
        hows = {self._how(self.first), self._how(self.second)}
        if ADDS in hows and SETS in hows:
            text = f"`{self.variable}` ends with what is added, or without it"
        else:
            text = f"`{self.variable}` ends as it is left by the one of the two that comes last"
        return self._told(text, (self.second, self.first), 2)

    def _entries(self) -> Outcome:
        if self.first.kind == ENQUEUE:
            text = f"either of the two may be the first in `{short(self.variable)}`"
        else:
            text = f"either of the two may get the first entry of `{short(self.variable)}`"
        return self._told(text, (self.second, self.first), 1)

    def _told(self, text: str, order: Sequence[Operation], weight: int) -> Outcome:
        steps = tuple(Step(each.where, self._words(each)) for each in order)
        if self.race.between:
            where, way = BETWEEN[self.race.between]
            return Outcome(f"{text} ({where})", steps, way, weight)
        return Outcome(text, steps, _fix(order), weight)


def _written(operation: Operation) -> str:
    return next((each.variable for each in operation.accesses if each.how != READS), "")


def _fix(order: Sequence[Operation]) -> str:
    """Of the two that are in the way of each other the one waits for the other."""
    one, other = order[0], order[1]
    if len(order) == 3 and order[0].where == order[2].where:
        one, other = order[1], order[0]
    dependency = f"`with tf.control_dependencies([what {one.where or words(one)} makes]):`"
    return f"{dependency} around {other.where or words(other)}, or one `Session.run` for each"
