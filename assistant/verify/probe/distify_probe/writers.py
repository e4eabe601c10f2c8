"""Which lines of the program give trained variables values, beside its optimizers and Horovod."""

from __future__ import annotations

import os
from types import FrameType
from typing import Any

from . import inside, places, record, steps
from .naming import name_of

MOST = 200  # that are told
STEPS = (f"{os.sep}optimizers{os.sep}", f"{os.sep}optimizer_v2{os.sep}", f"{os.sep}horovod{os.sep}",
         f"{os.sep}training{os.sep}optimizer.py")  # fmt: skip
DEPTH = 40  # frames to the program's own line

_told: set[tuple[str, str, int]] = set()


@record.careful("variables")
def note(variable: Any, frame: FrameType | None) -> None:
    """One record for each variable, line and number of steps."""
    if len(_told) >= MOST or not inside.eager() or not _is_trained(variable):
        return
    where = _line(frame)
    key = name_of(variable), where or "", sum(steps.now())
    if where is not None and key not in _told:
        _told.add(key)
        record.write("assigned", name=key[0], where=where, steps=key[2])


def _is_trained(variable: Any) -> bool:
    return any(trained.holds(variable) for trained in steps.known if trained.api != "none")


def _line(frame: FrameType | None) -> str | None:
    """The program's own; None for what an optimizer or Horovod does."""
    for _ in range(DEPTH):
        if frame is None:
            return None
        file = frame.f_code.co_filename
        if places.is_the_users(file):
            return places.name(file, frame.f_lineno)
        if any(each in file for each in STEPS):
            return None
        frame = frame.f_back
    return None
