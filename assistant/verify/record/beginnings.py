"""Events about how a worker began: where it runs, with which versions and settings."""

from __future__ import annotations

from dataclasses import dataclass

from .events import Event


@dataclass(frozen=True)
class Start(Event, event="start"):
    """The worker began; `host` and `local_rank` as Horovod's launcher told them.

    `machine`: which of several it stands on, where this one looks like them.
    """

    rank: int = 0
    size: int = 1
    local_rank: int | None = None
    pid: int | None = None
    host: str | None = None
    machine: int = 0


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
class Tiny(Event, event="tiny"):
    """A loader of `keras.datasets` that was given small synthetic arrays."""

    loader: str = ""
