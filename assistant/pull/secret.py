"""Tokens are taken out of this process's environment before anything is started.

What is removed from the environment stays in the memory that the system shows as
`/proc/PID/environ` (proc(5)) to every process of the same user, so to each hook: there the values
are overwritten. And what is no longer dumpable (prctl(2)) shows its memory to root alone.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable

SET_DUMPABLE = 4  # linux/prctl.h


def taken(names: Iterable[str]) -> dict[str, str]:
    """The variables that there are, which the environment doesn't hold any more."""
    found = {name: os.environ[name] for name in names if os.environ.get(name)}
    for name in found:
        _overwrite(name)
        del os.environ[name]
    if found:
        _hide_memory()
    return found


def _overwrite(name: str) -> None:
    """Fills the value with zeros where the system keeps it."""
    if os.name != "posix":
        return
    system = ctypes.CDLL(None)
    system.getenv.restype = ctypes.c_void_p
    address = system.getenv(os.fsencode(name))
    if address:
        ctypes.memset(address, 0, len(os.fsencode(os.environ[name])))


def _hide_memory() -> None:
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(SET_DUMPABLE, 0, 0, 0, 0)
