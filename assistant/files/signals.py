"""Requests to end that come while files are written: they wait, or end the work in good order."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from typing import Any


def _stop(number: int, frame: Any) -> None:
    raise SystemExit(128 + number)


@contextlib.contextmanager
def _handling(handler: Any, *names: str) -> Iterator[None]:
    """Handles these signals so; a no-op outside the main thread, where Python allows none."""
    before = {}
    try:
        for name in names:
            number = getattr(signal, name, None)
            if number is not None:
                with contextlib.suppress(ValueError):
                    before[number] = signal.signal(number, handler)
        yield
    finally:
        for number, handler_before in before.items():
            signal.signal(number, handler_before)


def handling_terminations() -> contextlib.AbstractContextManager[None]:
    """SIGTERM and SIGHUP raise an exception inside, so that everything is put back first."""
    return _handling(_stop, "SIGTERM", "SIGHUP")


def undisturbed() -> contextlib.AbstractContextManager[None]:
    """No request to end the process counts inside: nothing there may be left in the middle."""
    return _handling(signal.SIG_IGN, "SIGINT", "SIGTERM", "SIGHUP")
