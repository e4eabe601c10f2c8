"""The kinds of events that the probe writes, as frozen dataclasses: those about the training.

A field that has no default is one that its event is nothing without.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

KINDS: dict[str, type[Event]] = {}


@dataclass(frozen=True)
class Event:
    """One thing that happened in a worker, `t` seconds after the epoch."""

    t: float

    def __init_subclass__(cls, event: str = "") -> None:
        KINDS[event] = cls


@dataclass(frozen=True)
class Optimizer(Event, event="optimizer"):
    """An optimizer at its first use; `api` is keras, keras-legacy, v1 or none (by hand).

    `where` it was used first, and where it was `made`.
    """

    id: int
    cls: str = field(default="", metadata={"key": "class"})
    plain_sgd: bool = False
    variables: tuple[str, ...] = ()
    rate: float | None = None
    schedule: str | None = None
    distributed: bool = False
    api: str = ""
    where: str | None = None
    made: str | None = None

    @property
    def place(self) -> str | None:
        """The line that a reader looks for: where it was made, if that is known."""
        return self.made or self.where


@dataclass(frozen=True)
class State(Event, event="state"):
    """Hashes of all values after `steps` (one number per optimizer); `moving` may differ.

    `at`: "step" (at the entry of the next one), "behind" (the last one) or "end" (of the program).
    """

    steps: tuple[int, ...]
    at: str = "step"
    hashes: Mapping[str, str] = field(default_factory=dict)
    moving: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Local(Event, event="local"):
    """A variable that the program told Horovod to keep of each worker's own."""

    name: str


@dataclass(frozen=True)
class Assigned(Event, event="assigned"):
    """A line of the program gave a trained variable a value, after so many steps."""

    name: str
    where: str | None = None
    steps: int = 0


@dataclass(frozen=True)
class Rate(Event, event="rate"):
    """The learning rate that an optimizer's step number `steps` was made with.

    `where` a line (or `by` a callback) has set it last, and what it `was` before any had.
    """

    optimizer: int
    steps: int
    value: float
    where: str | None = None
    by: str = ""
    was: float | None = None


@dataclass(frozen=True)
class Loss(Event, event="loss"):
    """The loss of one step of an optimizer, as this worker computed it from its own examples."""

    steps: int
    value: float
    optimizer: int = 0


@dataclass(frozen=True)
class Collective(Event, event="collective"):
    """A call that all workers must make; `traced` ones are built into a graph, not run."""

    kind: str
    n: int = 0
    name: str | None = None
    shape: tuple[Any, ...] | None = None
    dtype: str | None = None
    traced: bool = False
    steps: int | None = None
    where: str | None = None
    op: str = ""  # of a reduction: Average, Sum, Adasum, …
    scale: float = 1.0  # prescale and postscale together
    members: tuple[int, ...] | None = None  # the ranks of its process set; None: all there are


@dataclass(frozen=True)
class Function(Event, event="function"):
    """A compiled function that holds collectives; `closed`: nothing else in it can wait; `data`:
    nothing but the next element of a data set.
    """

    closed: bool = False
    data: bool = False


@dataclass(frozen=True)
class Digest(Event, event="collectives"):
    """How many collectives there were so far, and a hash of all of them in order."""

    n: int
    digest: str = ""


@dataclass(frozen=True)
class Reduce(Event, event="reduce"):
    """Gradients handed to Horovod to be averaged: `by` a tape, an optimizer or a hook."""

    by: str = ""
    of: str = "variables"
    count: int | None = None
    traced: bool = False
    where: str | None = None
    op: str = ""
    names: tuple[str, ...] = ()  # of the variables; of many, only fifty
    members: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Applied(Event, event="apply"):
    """`apply_gradients` was called (or traced) on an optimizer: by a fit, minimize or program."""

    optimizer: int | None = None
    traced: bool = False
    where: str | None = None
    by: str = ""
    steps: int = 0  # that it had made before
    chain: tuple[str, ...] = ()  # the program's lines on the stack, the innermost first


@dataclass(frozen=True)
class Broadcast(Event, event="broadcast"):
    """Variables were sent from `root` to all; of many, only fifty names are written."""

    count: int = 0
    root: int | None = None
    names: tuple[str, ...] = ()
    traced: bool = False
    where: str | None = None


@dataclass(frozen=True)
class Examples(Event, event="examples"):
    """A fingerprint of every example that one step consumed, and how it was seen.

    `inputs`: of each of them without its last part; of the first ones, where they have several.
    `given`: one process was given them in the place of its own.
    """

    via: str = ""
    steps: int = 0
    rows: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    given: bool = False


@dataclass(frozen=True)
class Element(Event, event="element"):
    """The examples of one step were kept, as they were seen, for one process to train on them."""

    via: str = ""
    batch: bool = True


@dataclass(frozen=True)
class Gradients(Event, event="gradients"):
    """Sums over the gradients that an optimizer's step number `steps` applied: three that are
    linear and that of the squares, of each variable.

    `chunk`: which of the steps it is that one process makes of the workers' examples.
    """

    optimizer: int
    steps: int = 0
    sums: tuple[tuple[float, ...], ...] = ()
    chunk: int | None = None


@dataclass(frozen=True)
class Differentiated(Event, event="differentiated"):
    """Hashes of the variables whose gradients an eager program takes for the n-th time."""

    n: int
    hashes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Skipped(Event, event="skipped"):
    """An element of the training data that no step followed, after so many steps."""

    steps: int = 0
    finite: bool = True
    rows: int | None = None
    where: str | None = None


@dataclass(frozen=True)
class Iteration(Event, event="iteration"):
    """An iteration over a data set begins, after so many steps.

    `length`: its elements, where that is known; `memory`: it reads nothing else, and never waits.
    """

    dataset: int
    steps: int = 0
    length: int | None = None
    memory: bool = False
    where: str | None = None


@dataclass(frozen=True)
class Planned(Event, event="planned"):
    """A `fit` begins, with so many steps an epoch."""

    steps: int
    where: str | None = None


@dataclass(frozen=True)
class EpochEnd(Event, event="epoch"):
    """An iteration whose elements made steps came to its end."""

    steps: int = 0


@dataclass(frozen=True)
class Shuffle(Event, event="shuffle"):
    """`Dataset.shuffle`, with a seed or without."""

    seeded: bool = False
    where: str | None = None


@dataclass(frozen=True)
class Shard(Event, event="shard"):
    """`Dataset.shard(shards, index)`."""

    shards: int | None = None
    index: int | None = None
    where: str | None = None


@dataclass(frozen=True)
class Written(Event, event="write"):
    """The first time that this worker writes a path."""

    path: str
    how: str = "open"
    where: str | None = None


@dataclass(frozen=True)
class Callbacks(Event, event="callback"):
    """The classes of the callbacks given to `fit` (or another `method`), in order."""

    names: tuple[str, ...] = ()
    method: str = "fit"
    where: str | None = None


@dataclass(frozen=True)
class Times(Event, event="times"):
    """Seconds since the first step, and those of them spent inside the probe."""

    steps: int = 0
    seconds: float = 0.0
    probe: float = 0.0


@dataclass(frozen=True)
class Memory(Event, event="memory"):
    """What one step needed of TensorFlow's allocator, above what lay there before, and its time."""

    steps: int = 0
    bytes: int = 0
    seconds: float = 0.0
    device: str = ""
