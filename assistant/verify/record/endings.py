"""Events about how a worker ended, what it waits for, and what the probe could not see."""

from __future__ import annotations

from dataclasses import dataclass

from .events import Event


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
class Overlap(Event, event="overlap"):
    """Two runs of sessions ran at once: the numbers of their graphs, as they were written."""

    one: int
    other: int


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
class BrokenOff(Event, event="broken_off"):
    """A collective failed, as another worker had come to its end; the program may go on."""

    where: str | None = None


@dataclass(frozen=True)
class Limited(Event, event="limited"):
    """`--limit-steps` was reached: the worker left here on purpose."""

    steps: int = 0


@dataclass(frozen=True)
class End(Event, event="end"):
    """The program came to its end (also by an exception)."""

    steps: int = 0
