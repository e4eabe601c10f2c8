"""How far a verified job is, while it runs: live on a terminal, nothing where nobody looks."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING

from .escape import safe
from .terminal import Terminal

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PHASES = {
    "reference": "one process, for the learning rate",
    "baseline": "one process, to compare with",
}
LONG = 60  # seconds
GOES_ON = (
    "it goes on: Ctrl-C ends it with a report of what was seen, and --limit-steps 20 would be "
    "enough for a glance"
)


class Live:
    """One line a worker, on standard error; gone when the report comes."""

    def __init__(self, terminal: Terminal, limit: int = 0) -> None:
        self.terminal, self.limit = terminal, limit
        self._bars: Progress | None = None
        self._tasks: dict[int, TaskID] = {}
        self._begun: float | None = time.monotonic()  # None: it was said that it goes on

    def __enter__(self) -> Live:
        if sys.stderr.isatty():
            self._bars = self.terminal.steps()
            self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._bars:
            self._bars.stop()

    def phase(self, name: str, workers: int) -> None:
        """Starts the lines anew."""
        if not self._bars:
            return
        for task in self._tasks.values():
            self._bars.remove_task(task)
        names = [safe(PHASES.get(name, ""))] if name in PHASES else []
        names += [f"worker {rank}" for rank in range(workers)] if not names else []
        total = self.limit or None
        self._tasks = {n: self._bars.add_task(each, total=total) for n, each in enumerate(names)}

    def steps(self, steps: Mapping[int, int]) -> None:
        """Moves them on; says once what to do about a program that takes its time."""
        if self._begun is not None and any(steps.values()) and self._is_long(self._begun):
            self._begun = None
            self._say()
        for rank, made in steps.items():
            if self._bars and rank in self._tasks:
                self._bars.update(self._tasks[rank], completed=made)

    def _is_long(self, begun: float) -> bool:
        return not self.limit and time.monotonic() - begun > LONG

    def _say(self) -> None:
        if self._bars:
            self._bars.console.print(GOES_ON, markup=False, highlight=False)
        else:
            self.terminal.say(GOES_ON)
