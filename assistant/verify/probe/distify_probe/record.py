"""Writes what is seen, one JSON object a line, at once: a killed worker leaves all it saw."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import platform
import socket
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any, Callable, TypeVar

from . import machines, setting

Function = TypeVar("Function", bound=Callable[..., Any])

# What is not seen where a module's hooks fail.
OF_MODULE = {
    **dict.fromkeys(("optimizers", "functions", "byhand", "graphs", "graph_trained"), "steps"),
    **dict.fromkeys(("fed", "consumed", "batches"), "examples"),
    "values": "variables",
    "losses": "loss",
    "larger_batches": "rate",
    **dict.fromkeys(("one_step", "replay"), "gradients"),
    "horovod": "collectives",
    "files": "writes",
}

_file = -1
_blind: set[tuple[str, str]] = set()
_lock = threading.Lock()
spent = 0.0  # seconds inside the probe, as far as `timed` saw them
_depth = threading.local()


def path(suffix: str) -> str:
    """A file of this worker's in the folder of the records."""
    return os.path.join(setting.FOLDER, f"rank{setting.RANK}.{suffix}")


def start() -> None:
    """Opens the file of the records and says which process this is."""
    global _file
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
    _file = os.open(path("jsonl"), flags, 0o600)
    os.register_at_fork(after_in_child=_stop)
    write(
        "start",
        rank=setting.RANK,
        size=setting.SIZE,
        local_rank=setting.LOCAL_RANK,
        pid=os.getpid(),
        python=platform.python_version(),
        argv=sys.orig_argv if sys.version_info >= (3, 10) else [],
        host=socket.gethostname(),
        machine=machines.number(),
    )


def _stop() -> None:
    """A process that the program forks is no worker: what it does isn't the worker's doing."""
    global _file
    _file = -1


def is_on() -> bool:
    """Whether this process is the worker, and its records can be written."""
    return _file >= 0


def write(event: str, **fields: Any) -> None:
    """One record. Values that JSON does not know are written as their text."""
    if _file < 0:
        return
    line = json.dumps({"event": event, "t": time.time(), **fields}, default=str)
    with _lock:
        os.write(_file, line.encode("utf-8", "backslashreplace") + b"\n")


def blind(what: str, why: str) -> None:
    """Says, once, that something could not be observed: `what`, or the module that failed."""
    what = OF_MODULE.get(what, what)
    if (what, why) not in _blind:
        _blind.add((what, why))
        write("blind", what=what, why=why)


@contextlib.contextmanager
def blind_on_failure(what: str) -> Iterator[None]:
    """A failure of the probe's own never reaches the program; it is told as a blind spot."""
    try:
        yield
    except Exception as error:
        _tell(what, error)


def _tell(what: str, error: Exception) -> None:
    blind(what, f"{type(error).__name__}: {error}"[:500])


def careful(what: str) -> Callable[[Function], Function]:
    """The same for a function of the probe, whose time is counted as the probe's own."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            with timed():
                try:
                    return function(*args, **kwargs)
                except Exception as error:
                    _tell(what, error)
                    return None

        return guarded  # type: ignore[return-value]

    return decorate


@contextlib.contextmanager
def timed() -> Iterator[None]:
    """Counts the time inside as the probe's own, the outermost only."""
    global spent
    if getattr(_depth, "inside", False):
        yield
        return
    _depth.inside = True
    start = time.perf_counter()
    try:
        yield
    finally:
        spent += time.perf_counter() - start
        _depth.inside = False
