"""What a look may cost: the steps of all graphs that are built for it, and what is read, together.

A budget of one graph says how large a program may be. Somebody who looks at a whole project has to
know what each look takes of what is left for all of them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol


class Spent(BaseException):
    """A look takes more steps than it may.

    Nothing that catches an Exception of its own catches this one.
    """


class Counted(Protocol):
    """What counts its steps."""

    steps: int


class Spending:
    """The steps of one look so far, and how many it may take; None: as many as it needs."""

    def __init__(self, allowed: int | None = None) -> None:
        self._allowed = sys.maxsize if allowed is None else allowed
        self._counted: list[Counted] = []
        self._past = 0

    @property
    def steps(self) -> int:
        """All steps so far."""
        return self._past + sum(each.steps for each in self._counted)

    @property
    def left(self) -> int:
        """How many steps it may still take. Raises Spent for none."""
        left = self._allowed - self.steps
        if left < 0:
            raise Spent
        return left

    def begin(self, counted: Counted) -> None:
        """Count the steps of this, too."""
        self._counted.append(counted)

    def end(self, counted: Counted) -> None:
        """Keep the steps of what is forgotten now."""
        if counted in self._counted:
            self._counted.remove(counted)
            self._past += counted.steps

    def take(self, steps: int) -> None:
        """Count steps that no graph counts. Raises Spent."""
        self._past += steps
        if self.steps > self._allowed:
            raise Spent


_current: ContextVar[Spending] = ContextVar("spending")


def current() -> Spending:
    """What is spent from now on; nobody asks for it outside of `counted`."""
    return _current.get(None) or Spending()


@contextmanager
def counted(allowed: int | None = None) -> Iterator[Spending]:
    """Count what a look costs. Raises Spent where that is more than is allowed."""
    spending = Spending(allowed)
    token = _current.set(spending)
    try:
        yield spending
    finally:
        _current.reset(token)
