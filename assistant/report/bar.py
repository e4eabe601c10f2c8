"""A progress bar, for files that take long."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.console import Console

T = TypeVar("T")
# A progress bar is worth its place for so many files, after so many seconds.
MANY, _PATIENCE = 20, 0.5


def with_bar(items: Iterable[T], total: int, console: Console) -> Iterator[T]:
    """The same items; the bar is drawn where they are not through after half a second."""
    from rich.progress import Progress

    started = time.monotonic()
    iterator = iter(items)
    done = 0
    for item in iterator:
        done += 1
        yield item
        if time.monotonic() - started > _PATIENCE:
            break
    else:
        return
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("reading", total=total, completed=done)
        for item in iterator:
            yield item
            bar.advance(task)
