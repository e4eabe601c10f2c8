"""Ctrl-C and its like, as something to ask about: no clean-up is ever cut short by them."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

WORDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupt:
    """While it is entered, signals only count; once asks to stop, twice to hurry."""

    def __init__(self) -> None:
        self.count = 0
        self._depth = 0
        self._before: dict[int, Any] = {}

    @property
    def asked(self) -> bool:
        """Whether somebody asked to end it."""
        return self.count > 0

    def hurry(self) -> bool:
        """Whether someone is impatient: nothing is asked politely any more."""
        return self.count > 1

    def __enter__(self) -> Interrupt:
        self._depth += 1  # what asks about it may itself be run inside of something that does
        # Python takes signals in the main thread only; elsewhere nobody presses Ctrl-C.
        main = threading.current_thread() is threading.main_thread()
        if main and self._depth == 1:
            self._before = {word: signal.signal(word, self._note) for word in WORDS}
        return self

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.count += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._depth -= 1
        if self._depth == 0:
            for word, handler in self._before.items():
                signal.signal(word, handler)
