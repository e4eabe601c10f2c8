"""Which Python runs the program, and whether TensorFlow and Horovod are there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Setting:
    """A Python with TensorFlow and Horovod, and the launcher that belongs to it."""

    python: str
    horovodrun: tuple[str, ...]  # the command that starts workers
    python_version: str = ""
    tensorflow: str | None = None  # versions; None where it is not installed
    horovod: str | None = None
    keras: str | None = None
    tf_keras: str | None = None
    controller: str = "gloo"  # or "mpi"
