"""No look at a file goes on for ever: its calls are counted, and past a number it is refused.

The engine has a budget of its own (N04), but what asks it walks as well, and a list that holds
itself twice, thirty times over, is walked a billion times. Counting every call costs twice the
time of a look, so it begins where one takes long, from then on (as Python's profiler tells): the
script that reads 300 modules takes 15 seconds, and isn't slowed down.
Nothing is interrupted for it: what is half done would stay in what is kept from look to look.
"""

from __future__ import annotations

import contextlib
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Callable, TypeVar

if TYPE_CHECKING:
    from types import FrameType

CALLS = 150_000_000  # 40,000 plain lines take 70 million
SECONDS = 30.0  # of processor time, before the calls are counted
SAMPLES = 200
_CALLS = ("call", "c_call")
T = TypeVar("T")


class TooLong(BaseException):
    """A look takes more than its calls; `line` is where most of them were, 0 if unknown.

    Nothing that catches an Exception of its own catches this one.
    """

    def __init__(self, line: int = 0) -> None:
        super().__init__(f"more than {CALLS:,} calls")
        self.line = line


def within(look: Callable[[], T]) -> T:
    """What `look` says. Raises TooLong.

    Where the system has no such alarm, and outside of the main thread, nothing is counted.
    """
    if sys.getprofile() is not None or not hasattr(signal, "setitimer"):
        return look()
    with _alarm():
        return look()


@contextlib.contextmanager
def _alarm() -> Iterator[None]:
    """Begins to count when it is time for that."""

    def ring(number: int, frame: FrameType | None) -> None:
        sys.setprofile(_counter())

    try:
        before = signal.signal(signal.SIGVTALRM, ring)
    except ValueError:  # not the main thread
        yield
        return
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)
        sys.setprofile(None)


def _counter() -> Callable[[FrameType, str, Any], None]:
    count, lines = 0, Counter[int]()
    step = max(1, CALLS // SAMPLES)

    def profile(frame: FrameType, event: str, _: Any) -> None:
        nonlocal count
        if event in _CALLS:
            count += 1
            if count % step == 0:
                lines.update(_line(frame))
            if count > CALLS:
                raise TooLong(next((line for line, _ in lines.most_common(1)), 0))

    return profile


def _line(frame: FrameType | None) -> list[int]:
    """The line of the innermost part of the program that is being looked at."""
    import ast

    while frame is not None:
        for value in frame.f_locals.values():
            if isinstance(value, ast.AST) and hasattr(value, "lineno"):
                return [value.lineno]
        frame = frame.f_back
    return []
