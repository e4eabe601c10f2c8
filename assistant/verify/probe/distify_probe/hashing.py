"""The order of sets: another one in each Python, unless PYTHONHASHSEED says which.

Each worker is given one of its own, as it would have by chance, and one process that of worker 0:
what hangs on it differs between workers in each run, and not between worker 0 and one process.
"""

from __future__ import annotations

import os
import sys

from . import setting

NAME = "PYTHONHASHSEED"


def start() -> None:
    """Starts this Python anew where it has drawn a number by itself; before anything else is done.

    Left alone are Pythons before 3.10, which don't know how they were started.
    """
    started_as = getattr(sys, "orig_argv", None)
    if NAME in os.environ or not started_as:
        return
    os.environ[NAME] = str(setting.HASH_SEED_OF + 1)
    os.environ.pop(setting.TAKEN, None)
    os.execv(sys.executable, [sys.executable, *started_as[1:]])
