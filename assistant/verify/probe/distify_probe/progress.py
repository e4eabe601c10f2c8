"""Writes how many steps were made, for distify, which watches the run."""

from __future__ import annotations

import time

from . import record

EVERY = 0.5  # seconds between two writes of the progress
_written_at = 0.0


def note(made: list[int], at_once: bool = False) -> None:
    """Writes the steps of the optimizer that made most, twice a second at most or `at_once`."""
    global _written_at
    if at_once or time.monotonic() - _written_at >= EVERY:
        _written_at = time.monotonic()
        with open(record.path("progress"), "w") as file:
            file.write(str(max(made, default=0)))
