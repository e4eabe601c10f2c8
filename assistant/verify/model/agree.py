"""Which values are the same on all workers, and why others are not: types of two labels.

SAME means: equal on all workers whenever the variables that are counted as equal are, for every
number of workers, every order of execution and all data. All variables are counted as equal at
first; one that is written with a value of the worker's own, or where such a value decides, is
dropped, and whatever reads it then differs, too, until nothing changes. Each operation and each
variable is dropped once at most, so the effort is linear in the size of the graph.

Sound by induction over the order of execution: a value that is not reached is computed by the same
kernels from equal inputs. Not complete: `x - x` of a value of one's own counts as one's own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .compare import Differences
from .guards import Guarded
from .kernel import (
    ASSIGN,
    COLLECTIVE,
    DEQUEUE,
    EXIT,
    HEAD,
    MERGE,
    READS,
    SETS,
    SOURCE,
    SWITCH,
    Guard,
    Operation,
    Program,
)

NOBODY = -1  # the parent of a source


@dataclass(frozen=True)
class Agreement:
    """What was found: `parent` by operation of one's own, `lost` the writer by dropped variable."""

    program: Program
    guards: Guarded
    parent: Mapping[int, int]
    depth: Mapping[int, int]
    lost: Mapping[str, int]
    steps: int  # how often an operation was looked at
    local: frozenset[str] = frozenset()  # variables that differ from the start

    def path(self, number: int) -> Iterator[int]:
        """From an operation back to where its difference comes from."""
        while number in self.parent:
            yield number
            number = self.parent[number]

    def deciding(self, number: int) -> Iterator[int]:
        """Decisions of the worker's own that an operation runs under, nearest source first."""
        found = {guard.of for guard in self.guards.under[number] or () if guard.of in self.parent}
        yield from sorted(found, key=lambda each: (self.depth[each], each))

    def collectives(self) -> Iterator[tuple[int, int]]:
        """Collectives that a worker may leave out, each with what decides about it."""
        for number, operation in enumerate(self.program.operations):
            if operation.kind == COLLECTIVE:
                for test in self.deciding(number):
                    yield number, test
                    break


def agreement(
    program: Program,
    guards: Guarded,
    differ: Differences | None = None,
    alike: frozenset[str] = frozenset(),
    decisions: bool = True,
    local: frozenset[str] = frozenset(),
) -> Agreement:
    """The greatest set of variables that stay equal, and what leaves it.

    `alike`: names of sources that are taken to be equal on all workers. Without `decisions` only
    values are followed, not the branches and loops that they decide: no proof, but a nearer cause.
    `local`: variables that are not equal to begin with.
    """
    spread = _Spreading(program, guards, decisions)
    differ = differ or Differences()
    for number, operation in enumerate(program.operations):
        # What a queue holds may have been put there by another run: each worker's own.
        is_source = operation.kind in (SOURCE, DEQUEUE) and operation.name not in alike
        parts = operation.kind == COLLECTIVE and not operation.agrees
        if is_source or parts or number in differ.operations:
            spread.drop(number, NOBODY)
    for variable in sorted(local):
        spread.lose(variable, NOBODY)
    for variable in sorted(differ.variables):
        spread.lose(variable, next(iter(spread.writers.get(variable, ())), NOBODY))
    spread.run()
    return Agreement(program, guards, spread.parent, spread.depth, spread.lost, spread.steps, local)


@dataclass
class _Spreading:
    program: Program
    guards: Guarded
    decisions: bool = True
    parent: dict[int, int] = field(default_factory=dict)
    depth: dict[int, int] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)
    steps: int = 0
    readers: dict[str, list[int]] = field(default_factory=dict)
    writers: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.queue: deque[int] = deque()
        self.late: deque[tuple[str, int]] = deque()  # variables whose readers come afterwards
        self.takers: list[list[int]] = [[] for _ in self.program.operations]
        for number, operation in enumerate(self.program.operations):
            if self.guards.under[number] is None:
                continue  # it never runs
            for source in self._sources(number, operation):
                self.takers[source].append(number)
            for access in operation.accesses:
                table = self.readers if access.how != SETS else self.writers
                table.setdefault(access.variable, []).append(number)
                if access.how not in (READS, SETS):
                    self.writers.setdefault(access.variable, []).append(number)

    def _sources(self, number: int, operation: Operation) -> Iterator[int]:
        if not self.decisions and operation.kind == COLLECTIVE:
            return
        if not self.decisions and operation.kind != HEAD:
            yield from values(number, operation, self.guards)
            return
        yield from depends_on(number, operation, self.guards)

    def drop(self, number: int, because: int) -> None:
        """An operation's value is the worker's own."""
        self.steps += 1
        if number in self.parent or self.guards.under[number] is None:
            return
        self.parent[number] = because
        self.depth[number] = 0 if because == NOBODY else self.depth[because] + 1
        self.queue.append(number)

    def lose(self, variable: str, writer: int) -> None:
        """A variable is the worker's own from now on."""
        if variable not in self.lost:
            self.lost[variable] = writer
            self.late.append((variable, writer))

    def run(self) -> None:
        while self.queue or self.late:
            while self.queue:
                self._spread(self.queue.popleft())
            if self.late:
                variable, writer = self.late.popleft()
                for reader in self.readers.get(variable, ()):
                    self.drop(reader, writer if writer in self.parent else NOBODY)

    def _spread(self, number: int) -> None:
        operation = self.program.operations[number]
        if operation.kind == ASSIGN or operation.kind == COLLECTIVE:
            for access in operation.accesses:
                if access.how != READS:
                    self.lose(access.variable, number)
        for taker in self.takers[number]:
            self.drop(taker, number)


def depends_on(number: int, operation: Operation, guards: Guarded) -> Iterator[int]:
    """What decides an operation's value; of a write and a collective also whether it happens."""
    under: Sequence[Guard] = tuple(guards.under[number] or ())
    if operation.kind == COLLECTIVE:
        yield from (guard.of for guard in under)
        return
    yield from values(number, operation, guards)
    if operation.kind in (MERGE, EXIT):
        yield from guards.decided[number]
    elif operation.kind == HEAD and operation.back is not None:
        yield operation.back.of
    elif any(access.how != READS for access in operation.accesses):
        yield from (guard.of for guard in under)


def values(number: int, operation: Operation, guards: Guarded) -> Iterator[int]:
    """The inputs that may arrive; what decides a switch is not part of what it hands on."""
    inputs = operation.inputs[:1] if operation.kind == SWITCH else operation.inputs
    yield from (port.of for port in inputs if (number, port) not in guards.dead)
