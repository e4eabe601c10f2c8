"""Variables that the program keeps of each worker's own on purpose, and the slots of those alone.

They may differ, so whatever reads one is labelled as the worker's own; that they differ is no
fault. A slot (a momentum, an average over time) has no name that says whose it is: it belongs to
them if it has to do with one of them, and nothing that it holds gets into a shared variable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from .agree import depends_on, values
from .graph import Graph
from .guards import Guarded
from .kernel import COLLECTIVE, READS, SETS, Program


@dataclass(frozen=True)
class Local:
    """`differing`: those that any worker keeps for itself. `meant`: those that may differ by the
    will of all of them, with their slots."""

    differing: frozenset[str] = frozenset()
    meant: frozenset[str] = frozenset()


def differing(same: Sequence[Graph]) -> frozenset[str]:
    """Variables that any worker keeps for itself: nothing makes them equal."""
    return frozenset().union(*(each.local for each in same))


def kept(same: Sequence[Graph], program: Program, guards: Guarded) -> Local:
    """What the graphs of all workers say of it; `program` is that of the first."""
    meant = same[0].local.intersection(*(each.local for each in same[1:]))
    if not meant:
        return Local(differing(same))
    slots = frozenset(same[0].slots) - meant
    within = _Within(program, guards, slots)
    shared = within.behind(set(same[0].trained) - meant)
    about = within.behind(meant) | within.written_from(meant)
    return Local(differing(same), meant | ((slots & about) - shared))


@dataclass
class _Within:
    program: Program
    guards: Guarded
    slots: frozenset[str]
    writers: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for number in self._running():
            for variable in self._variables_written(number):
                self.writers.setdefault(variable, []).append(number)

    def behind(self, variables: Iterable[str]) -> set[str]:
        """The slots that get into what is written to these, by way of other slots, too."""
        found: set[str] = set()
        queue = [number for each in variables for number in self.writers.get(each, ())]
        known = set(queue)
        while queue:
            number = queue.pop()
            operation = self.program.operations[number]
            taken = {a.variable for a in operation.accesses if a.how != SETS} & self.slots - found
            found |= taken
            needed = [*depends_on(number, operation, self.guards)]
            needed += [writer for each in taken for writer in self.writers.get(each, ())]
            queue += {each for each in needed if each not in known}
            known.update(needed)
        return found

    def written_from(self, variables: frozenset[str]) -> set[str]:
        """What is written with a value that was computed from one of these in the same run.

        What is only written where such a value decides is not meant.
        """
        reached: set[int] = set()
        for number in self._running():
            operation = self.program.operations[number]
            reads = any(a.variable in variables and a.how != SETS for a in operation.accesses)
            inputs = any(each in reached for each in values(number, operation, self.guards))
            if operation.kind != COLLECTIVE and (reads or inputs):
                reached.add(number)
        return {variable for number in reached for variable in self._variables_written(number)}

    def _running(self) -> Iterator[int]:
        return (k for k, under in enumerate(self.guards.under) if under is not None)

    def _variables_written(self, number: int) -> Iterator[str]:
        accesses = self.program.operations[number].accesses
        return (access.variable for access in accesses if access.how != READS)
