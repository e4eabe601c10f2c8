"""What the steps need to know of an optimizer in use: one object each, whatever its API."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class Trained:
    """An optimizer and what it trains. Subclasses answer for one API each."""

    id = -1  # order of first use; given by `steps.register`
    name = ""  # the class of the optimizer
    api = "none"  # keras, keras-legacy, v1 or none
    plain_sgd = False
    distributed = False
    schedule: str | None = None
    where: str | None = None  # of its first use
    made_at: str | None = None
    state_due = 1  # the steps after which the next state is to be taken, if it leads
    calls = 0  # how often a call was entered in which it may step
    first_rate: float | None = None
    rate_due = 1  # the next step whose rate is to be written
    frozen: dict[str, str] | None = None  # the last hashes, once the values can't be read any more

    def steps(self) -> int:
        """How many steps it has made in this process (not its `iterations`: those are restored)."""
        raise NotImplementedError

    def rate(self) -> float | None:
        """The learning rate that its next step would be made with."""
        return None

    def rate_was(self) -> float | None:
        """The rate of the step just made, where only that can be read without side effects."""
        return None

    def rate_set(self) -> dict[str, Any]:
        """The line, or the callback, that set the rate which it has now; empty if none did."""
        return {}

    def names(self) -> list[str]:
        """The names of the variables that it trains."""
        raise NotImplementedError

    def arrays(self) -> Iterable[tuple[str, Any]]:
        """Values by their key in the records (`name#index`, `slot/name#index`), as numpy."""
        raise NotImplementedError

    def holds(self, variable: Any) -> bool:
        """Whether it trains this variable."""
        return False

    def forget(self) -> None:
        """Lets go of the variables: only the last hashes are needed from now on."""
