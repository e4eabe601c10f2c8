"""Writes how many steps were made, for distify, which watches the run."""

from __future__ import annotations

import os
import threading
import time

from . import record

EVERY = 0.5  # seconds between two writes of the progress
_written_at = 0.0


def note(made: list[int], at_once: bool = False) -> None:
    """Writes the steps of the optimizer that made most, twice a second at most or `at_once`.

    A worker that is killed meanwhile leaves what it wrote before: the file is replaced as a whole.
    """
    global _written_at
    if at_once or time.monotonic() - _written_at >= EVERY:
        _written_at = time.monotonic()
        new = record.path(f"progress.{threading.get_ident()}")
        with open(new, "w") as file:
            file.write(str(max(made, default=0)))
        os.replace(new, record.path("progress"))
