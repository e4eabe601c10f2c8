"""Training graphs as the probe writes them: plain frozen data, and nothing of TensorFlow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Node:
    """One operation; `inputs` as TensorFlow writes them: `name`, `name:1`, `^name` (control)."""

    name: str
    kind: str
    inputs: tuple[str, ...] = ()
    calls: Mapping[str, str] = field(default_factory=dict)  # `then_branch` and so on: the function
    others: tuple[str, ...] = ()  # functions under any other attribute
    value: bool | int | None = None  # of a scalar constant that is a truth or a whole number
    digest: str = ""  # of any constant
    label: str = ""  # the name by which a variable, a queue, a collective or a frame is known
    capacity: int | None = None  # of a queue
    overlapping: int | None = None  # of an Enter: how many turns of its loop may run at once
    states: int | None = None  # that a loop over a dataset hands from turn to turn
    attributes: Mapping[str, str] = field(default_factory=dict)  # of Horovod's operations
    shape: tuple[int, ...] | None = None  # of what a collective takes; -1: known when it runs
    by: str = ""  # "aggregation": Horovod adds gradients of several passes up with it
    where: str | None = None


@dataclass(frozen=True)
class Body:
    """A function: what it is given, does, returns and must run though nobody takes its value."""

    arguments: tuple[str, ...]
    nodes: tuple[Node, ...]
    returns: tuple[str, ...]
    controls: tuple[str, ...] = ()


@dataclass(frozen=True)
class Capture:
    """What a function takes from outside: a variable, a constant, or something else."""

    variable: str = ""
    digest: str = ""
    value: bool | int | None = None


@dataclass(frozen=True)
class Graph:
    """What one worker runs for one training step."""

    kind: str  # "function", "session"
    name: str
    nodes: tuple[Node, ...]
    library: Mapping[str, Body]
    captures: Mapping[str, Capture]
    arguments: Mapping[str, str]  # what is fed or passed in, and the digest of a small value
    trained: tuple[str, ...]
    slots: tuple[str, ...]
    stateful: frozenset[str]  # kinds of operations that their inputs alone don't decide
    reading: frozenset[str]  # kinds that only read the resources that they are given
    where: str | None = None
    local: frozenset[str] = frozenset()  # variables that the program keeps local on purpose
    served: frozenset[str] = frozenset()  # queues that other runs of the session fill or empty
