"""What is being looked at, for who waits: files that are done, of those found, and the next one."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from .escape import safe

if TYPE_CHECKING:
    from types import FrameType

    from rich.console import Console
    from rich.progress import Progress

T = TypeVar("T")
PATIENCE = 1.0  # seconds, before anything is shown
_LONGEST = 60  # characters of a name


def with_bar(items: Iterable[T], names: Sequence[str], console: Console) -> Iterator[T]:
    """The same items, of these names; the bar is drawn where they are not through in a second."""
    bar = _Bar(names, console)
    with _alarm(bar), contextlib.closing(bar):
        for item in items:
            bar.advance()
            yield item


class _Bar:
    """Knows how far it is, and shows that once it has begun."""

    def __init__(self, names: Sequence[str], console: Console) -> None:
        self._names, self._console = names, console
        self._done, self._due = 0, time.monotonic() + PATIENCE
        self._drawn: Progress | None = None

    def begin(self) -> None:
        """Show from now on how far it is."""
        if self._drawn is not None:
            return
        from rich import progress

        self._drawn = progress.Progress(
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TextColumn("files  {task.fields[name]}", markup=False),
            console=self._console,
            transient=True,
        )
        self._drawn.add_task("", total=len(self._names), completed=self._done, name=self._next())
        self._drawn.start()

    def advance(self) -> None:
        """One more file is done."""
        self._done += 1
        if time.monotonic() > self._due:
            self.begin()
        if self._drawn is not None:
            task = self._drawn.task_ids[0]
            self._drawn.update(task, completed=self._done, name=self._next())

    def close(self) -> None:
        """Take it away."""
        if self._drawn is not None:
            self._drawn.stop()

    def _next(self) -> str:
        name = self._names[self._done] if self._done < len(self._names) else ""
        return safe(name if len(name) <= _LONGEST else f"…{name[1 - _LONGEST :]}")


@contextlib.contextmanager
def _alarm(bar: _Bar) -> Iterator[None]:
    """Lets the bar begin when it is time also in the midst of a file, where there is an alarm."""

    def ring(number: int, frame: FrameType | None) -> None:
        bar.begin()

    try:
        before = signal.signal(signal.SIGALRM, ring)
    except (AttributeError, ValueError):  # on Windows, and outside of the main thread
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
