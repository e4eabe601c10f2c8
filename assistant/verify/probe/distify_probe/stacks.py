"""Writes the stacks of all threads when distify asks for them by a signal."""

from __future__ import annotations

import faulthandler
import os
import signal

from . import record


@record.careful("errors")
def listen() -> None:
    """Has the signal SIGUSR2 write them into a file that is there from now on."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
    stack = os.open(record.path("stack"), flags, 0o600)  # stays open: the handler writes to it
    faulthandler.register(signal.SIGUSR2, file=stack, all_threads=True, chain=False)
