"""The stack of a worker that hangs, as faulthandler writes it: the line and the collective."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_THREAD = re.compile(r"^(?:Current thread|Thread) .*\(most recent call first\):$", re.M)
_FRAME = re.compile(r'^  File "(.+)", line (\d+) in (.+)$', re.M)
_LIBRARIES = ("site-packages", "dist-packages")
# Horovod's functions that block, as they are named in its own modules.
KINDS = (
    "grouped_allreduce",
    "grouped_allgather",
    "grouped_reducescatter",
    "allreduce",
    "allgather",
    "broadcast",
    "alltoall",
    "reducescatter",
    "barrier",
    "join",
    "shutdown",
    "init",
)


@dataclass(frozen=True)
class Frame:
    """One line of a stack."""

    file: str
    line: int
    function: str


def threads(stack: str) -> list[tuple[Frame, ...]]:
    """The frames of each thread, innermost first; the main thread comes last, as in the text."""
    parts = _THREAD.split(stack)[1:]
    return [tuple(Frame(f, int(n), name) for f, n, name in _FRAME.findall(p)) for p in parts]


def where(stack: str, root: Path) -> str | None:
    """The user's innermost line, as `train.py:41`; that of the main thread if it has one."""
    for frames in reversed(threads(stack)):
        for frame in frames:
            place = _place(frame, root)
            if place:
                return place
    return None


def _place(frame: Frame, root: Path) -> str | None:
    try:
        inside = Path(frame.file).resolve().relative_to(root)
    except ValueError:
        return None
    return None if set(inside.parts) & set(_LIBRARIES) else f"{inside}:{frame.line}"


def collective(stack: str) -> str | None:
    """The kind of collective that the main thread waits in, if it called one of Horovod's."""
    main = next(reversed(threads(stack)), ())
    for frame in main:
        if "horovod" in Path(frame.file).parts:
            name = frame.function.strip("_")
            kind = next((kind for kind in KINDS if name.startswith(kind)), None)
            if kind:
                return kind
    return None


def calls(stack: str, functions: tuple[str, ...]) -> bool:
    """Whether the main thread is inside one of these functions."""
    main = next(reversed(threads(stack)), ())
    return any(frame.function in functions for frame in main)
