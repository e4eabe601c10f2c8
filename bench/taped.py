"""The functions that D501 writes, run on numbers: how many steps they run, how many states stay.

A tape that records nothing but steps and what is run again stands in for TensorFlow's.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Callable, Optional

from distify.codemods.rewrites._schedules import FIRST_PART

Record = tuple[int, Optional[Callable[..., Any]], tuple[Any, ...]]


class Tape:
    """Counts the steps that are run, and the states that lie there at a time."""

    def __init__(self) -> None:
        self.runs = self.kept = self.most = 0
        self.order: list[int] = []  # of the steps whose gradients were taken
        self.course: list[int] = []  # how many states lay there, at each step and each gradient
        self._recorded: list[Record] | None = []  # None: nothing is recorded

    def step(self, item: Any, state: int) -> int:
        """One step, which counts on; its state is kept for its gradient where that is recorded."""
        assert state == item  # each step gets what the one before gave
        self.runs += 1
        self._record((item, None, ()))
        self.course.append(self.kept)
        return state + 1

    def recompute_grad(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """As TensorFlow's: the arguments are kept, what is inside is run again."""

        def run(*given: Any) -> Any:
            recorded, self._recorded = self._recorded, None
            result = function(*given)
            self._recorded = recorded
            self._record((0, function, given))
            return result

        return run

    def _record(self, record: Record) -> None:
        if self._recorded is not None:
            self._recorded.append(record)
            self.kept += 1
            self.most = max(self.most, self.kept)

    def gradient(self) -> None:
        """Go back over all that was recorded, the last first."""
        recorded, self._recorded = self._recorded or [], []
        for item, function, given in reversed(recorded):
            self.kept -= 1  # what is run again begins with the same state
            if function is None:
                self.order.append(item)
                self.course.append(self.kept)
            else:
                function(*given)
                self.gradient()
        self._recorded = []


def function(text: str, name: str, tape: Tape) -> Any:
    """The function of a text, with the tape in place of TensorFlow."""
    names: dict[str, Any] = {"tf": SimpleNamespace(recompute_grad=tape.recompute_grad)}
    exec(FIRST_PART.format(name="first_part") + text, names)
    return names[name]


def ran(text: str, name: str, count: int, how: str = "loop") -> Tape:
    """What running so many steps by a function takes, and their gradients."""
    tape = Tape()
    run, items = function(text, name, tape), list(range(count))
    if how == "layers":
        layers = [lambda x, i=i: tape.step(i, x) for i in items]
        assert run(layers, 0) == count
    elif how == "steps":
        assert run(tape.step, tuple(items), 0) == count
    else:
        found = run(tape.step, items, 0)
        assert found == count
    tape.gradient()
    assert tape.kept == 0
    assert tape.order == items[::-1]
    return tape
