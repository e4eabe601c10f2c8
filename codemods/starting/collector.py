"""Python's collector of cycles, which a growing graph or tree is better off without."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

MUCH = 400_000  # objects, through which a search takes a tenth of a second


@contextmanager
def without_collector() -> Iterator[None]:
    """The collector would walk over what grows again and again: half the time of a tree."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def collected_afterwards() -> Iterator[None]:
    """One search for cycles at the end, where much was made, and none in between.

    The parts of a large program hold each other. A search walks over all that is alive: those that
    Python makes while that grows find nothing, and after them each program of a folder of large
    ones stayed in memory.
    """
    with without_collector():
        try:
            yield
        finally:
            if gc.get_count()[0] > MUCH:
                gc.collect()
