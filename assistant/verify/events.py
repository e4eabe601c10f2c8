"""The kinds of events that the probe writes, as frozen dataclasses.

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
class Start(Event, event="start"):
    """The worker began; `host` and `local_rank` as Horovod's launcher told them."""

    rank: int = 0
    size: int = 1
    local_rank: int | None = None
    pid: int | None = None
    host: str | None = None


@dataclass(frozen=True)
class Versions(Event, event="versions"):
    """What was imported: `keras` is `keras 2.15.0`, `tf_keras 2.18.0` or `keras 3.x`."""

    tensorflow: str | None = None
    keras: str | None = None
    horovod: str | None = None


@dataclass(frozen=True)
class Init(Event, event="init"):
    """`hvd.init()` was called."""

    where: str | None = None


@dataclass(frozen=True)
class Optimizer(Event, event="optimizer"):
    """An optimizer at its first use; `api` is keras, keras-legacy, v1 or none (by hand)."""

    id: int
    cls: str = field(default="", metadata={"key": "class"})
    plain_sgd: bool = False
    variables: tuple[str, ...] = ()
    rate: float | None = None
    schedule: str | None = None
    distributed: bool = False
    api: str = ""
    where: str | None = None


@dataclass(frozen=True)
class State(Event, event="state"):
    """Hashes of all values after `steps` (one number per optimizer); `moving` may differ."""

    steps: tuple[int, ...]
    at: str = "step"
    hashes: Mapping[str, str] = field(default_factory=dict)
    moving: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Rate(Event, event="rate"):
    """The learning rate that an optimizer's step number `steps` was made with."""

    optimizer: int
    steps: int
    value: float


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


@dataclass(frozen=True)
class Applied(Event, event="apply"):
    """`apply_gradients` was called (or traced) on an optimizer."""

    optimizer: int | None = None
    traced: bool = False
    where: str | None = None


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
    """A fingerprint of every example that one step consumed, and how it was seen."""

    via: str = ""
    steps: int = 0
    rows: tuple[str, ...] = ()


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


@dataclass(frozen=True)
class Waiting(Event, event="waiting"):
    """An eager collective is about to block."""

    kind: str = ""
    name: str | None = None
    where: str | None = None


@dataclass(frozen=True)
class Done(Event, event="done"):
    """The eager collective came back."""


@dataclass(frozen=True)
class Blind(Event, event="blind"):
    """Something that the probe could not see, and why."""

    what: str
    why: str = ""


@dataclass(frozen=True)
class Tiny(Event, event="tiny"):
    """A loader of `keras.datasets` that was given small synthetic arrays."""

    loader: str = ""


@dataclass(frozen=True)
class Error(Event, event="error"):
    """The exception that ended the program, or one of its threads.

    `inside` is the library function it came from (`module:qualname`), `cause` the exception that
    the program raised it for.
    """

    type: str = ""
    message: str = ""
    cause: str | None = None
    thread: str | None = None
    where: str | None = None
    inside: str | None = None
    frames: tuple[str, ...] = ()


@dataclass(frozen=True)
class Limited(Event, event="limited"):
    """`--limit-steps` was reached: the worker left here on purpose."""

    steps: int = 0


@dataclass(frozen=True)
class End(Event, event="end"):
    """The program came to its end (also by an exception)."""

    steps: int = 0
