"""Ends the program at the entry of a step that it is not to make any more."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from typing import Any, Callable

from . import record, setting

PATIENCE = 30.0  # seconds that a program may take to end itself once it was told to
TRIES = 3  # exceptions that a program may swallow

_told = 0
_last_words: list[Callable[[], None]] = []


class Limited(SystemExit):
    """Ends the program as `sys.exit(0)` would; no `except Exception` stops it."""


def at_last(callback: Callable[[], None]) -> None:
    """`callback()` is called where the process has to be ended by force."""
    _last_words.append(callback)


def if_asked(made: Sequence[int]) -> None:
    """Leaves the program if it has made the steps (one number an optimizer) it was to make."""
    if setting.LIMIT_STEPS and max(made, default=0) >= setting.LIMIT_STEPS:
        leave(max(made))


def leave(steps: int) -> None:
    """Writes `limited` and raises Limited; a program that goes on nevertheless is ended."""
    global _told
    _told += 1
    if _told == 1:
        record.write("limited", steps=steps)
        timer = threading.Timer(PATIENCE, now)
        timer.daemon = True
        timer.start()
    if _told > TRIES:
        now()
    raise Limited(0)


def now() -> Any:
    """Ends the process at once, without the rest of the program; exit code 0."""
    for callback in _last_words:
        with record.blind_on_failure("steps"):
            callback()
    for stream in (sys.stdout, sys.stderr):
        with record.blind_on_failure("steps"):
            stream.flush()
    os._exit(0)
