"""What functions and assignments compute where every tensor is one whole number."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .kernel import Operation

# Functions of numbers; any other one is a sum that tells its inputs apart.
FUNCTIONS: Mapping[str, Callable[[int, Sequence[int]], int]] = {
    "const": lambda value, given: value,
    "Const": lambda value, given: value,
    "id": lambda value, given: given[0],
    "Identity": lambda value, given: given[0],
    "add": lambda value, given: sum(given),
    "mul": lambda value, given: given[0] * given[1],
    "gt": lambda value, given: int(given[0] > value),
    "lt": lambda value, given: int(given[0] < value),
    "inc": lambda value, given: given[0] + 1,
}
ASSIGNMENTS: Mapping[str, Callable[[int, int], int]] = {
    "set": lambda old, new: new,
    "add": lambda old, new: old + new,
    "sub": lambda old, new: old - new,
}


def other(given: Sequence[int]) -> int:
    """A function of which nothing is known but its inputs."""
    return sum((k + 2) * each for k, each in enumerate(given))


def changed(old: int, new: int) -> int:
    """An assignment of which nothing is known: no two of them commute."""
    return 2 * old + new


def computed(operation: Operation, given: Sequence[int]) -> int:
    """The value of a function."""
    compute = FUNCTIONS.get(operation.function)
    enough = bool(given) or operation.function in ("const", "Const", "add")
    value = int(operation.value or 0)
    return compute(value, given) if compute and enough else other(given) + value


class Numbers:
    """The values of a model: whole numbers, so that two orders that differ end differently."""

    def computed(self, operation: Operation, given: Sequence[int]) -> int:
        """The value of a function."""
        return computed(operation, given)

    def assigned(self, operation: Operation, variable: str, held: int, given: Sequence[int]) -> int:
        """What a variable holds behind an assignment."""
        new = given[0] if len(given) == 1 else other(given)
        return ASSIGNMENTS.get(operation.function, changed)(held, new)
