"""The small language in which every training step is modelled: the seed's operations and ours.

Each operation has numbered inputs, control inputs, and the variables it touches. Branches and loops
are what TensorFlow's own executor makes of them: Switch, Merge, and a loop's head and exit. All
analyses and the executable semantics (`semantics.py`) read this form and no other.

Source: Abadi, Isard, Murray, "A Computational Model for TensorFlow" (MAPL 2017), for functions,
variables, reads and assignments.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

# Kinds of operations. SOURCE: its value is the worker's own, whatever its inputs are.
FUNCTION, SOURCE, VAR, READ, ASSIGN = "function", "source", "var", "read", "assign"
SWITCH, MERGE, HEAD, EXIT = "switch", "merge", "head", "exit"
ENQUEUE, DEQUEUE, COLLECTIVE = "enqueue", "dequeue", "collective"

# How an operation touches a variable. Two ADDs commute; a SET does not depend on the old value.
READS, ADDS, SETS, CHANGES = "reads", "adds", "sets", "changes"
TURN = -1  # the slot of a guard: in every turn of a loop, its test included


class Port(NamedTuple):
    """One output of an operation, by the operation's number."""

    of: int
    slot: int = 0


class Access(NamedTuple):
    """What an operation does to a variable."""

    variable: str
    how: str


class Guard(NamedTuple):
    """Only where the operation `of` decides for `slot`."""

    of: int
    slot: int


@dataclass(frozen=True)
class Operation:
    """One operation of a program; a loop's HEAD names the end of its turn in `back`."""

    name: str
    kind: str = FUNCTION
    inputs: tuple[Port, ...] = ()
    controls: tuple[int, ...] = ()
    function: str = ""  # what it computes; of an assignment: set, add, sub …
    accesses: tuple[Access, ...] = ()
    of: str = ""  # the queue, or the collective as all workers call it
    value: bool | int | None = None  # of a constant; of an Enter: how many turns may overlap
    digest: str = ""  # of a constant; of a collective what all workers must agree about
    slots: int = 1  # outputs of a switch
    back: Port | None = None
    test: int | None = None  # of a HEAD and an EXIT: the operation that decides about the next turn
    agrees: bool = True  # of a collective: all workers get the same value
    step: int = 0  # of a collective: the training step that it belongs to
    where: str | None = None


@dataclass(frozen=True)
class Program:
    """One run of a graph on one worker; each operation comes after its inputs, but for `back`."""

    operations: tuple[Operation, ...]
    variables: Mapping[str, int] = field(default_factory=dict)  # and what they start with
    queues: Mapping[str, int] = field(default_factory=dict)  # and how much they hold
    fetched: frozenset[int] = frozenset()
    references: frozenset[str] = frozenset()  # variables that are read where their value is taken
    unordered: frozenset[str] = frozenset()  # queues of which no order of entries is expected


class Unmodelled(Exception):
    """Why a graph is outside of what is modelled; never to be taken for "safe"."""
