"""Which line of the program, or which callback, gave a learning rate its value."""

from __future__ import annotations

import os
import weakref
from dataclasses import dataclass
from types import FrameType
from typing import Any

from . import inside, places, rates, record
from .variables import plain

DEPTH = 60  # frames from an assignment to the program's own line
_HOROVOD = f"{os.sep}horovod{os.sep}"


@dataclass
class Setting:
    """A value that was set: its variable, the line, the callback, and the value of its making."""

    of: Any  # a weak reference
    was: float
    where: str | None = None
    by: str = ""


_set: dict[int, Setting] = {}  # by the id of the variable


@record.careful("rate")
def note(variable: Any, value: Any, frame: FrameType | None) -> None:
    """A variable is about to get a value; only numbers can be rates, and only changes count."""
    if variable.shape.rank != 0 or not variable.dtype.is_floating or not inside.eager():
        return
    before, after = float(variable.numpy()), _number(value)
    if after is None or abs(after - before) <= 1e-6 * abs(before):
        return
    where, by = _who(frame)
    if where is None:
        return
    known = _set.get(id(variable))
    if known is None or known.of() is not variable:
        known = _set[id(variable)] = Setting(weakref.ref(variable), before)
    known.where, known.by = where, by


def _number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):  # no number by itself: an array, a tensor without a value
        return None


def _who(frame: FrameType | None) -> tuple[str | None, str]:
    """The program's innermost line, and the callback between it and the assignment."""
    by = ""
    for _ in range(DEPTH):
        if frame is None or _is_sent(frame):
            return None, ""
        by = by or _callback(frame)
        if places.is_the_users(frame.f_code.co_filename):
            return places.name(frame.f_code.co_filename, frame.f_lineno), by
        frame = frame.f_back
    return None, ""


def _is_sent(frame: FrameType) -> bool:
    """Whether Horovod brings the value from another worker, which sets nothing by itself."""
    return _HOROVOD in frame.f_code.co_filename and "broadcast" in frame.f_code.co_name


def _callback(frame: FrameType) -> str:
    """The class of the callback whose method runs in a frame; not that of a list of callbacks."""
    if frame.f_code.co_varnames[:1] != ("self",):
        return ""
    kind = type(frame.f_locals["self"]) if "self" in frame.f_locals else object
    return kind.__name__ if any(base.__name__ == "Callback" for base in kind.__mro__) else ""


def of(optimizer: Any) -> dict[str, Any]:
    """What the records say of the rate that an optimizer has now; nothing if none was set."""
    variable = plain(rates.source(optimizer))
    known = _set.get(id(variable))
    if known is None or known.of() is not variable:
        return {}
    return {"where": known.where, "by": known.by, "was": known.was}
