"""JSON values as the types that records promise; what doesn't fit is refused, not bent.

Each reader returns the value as its type and raises Unreadable for any other.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Callable


class Unreadable(ValueError):
    """A line, or a value in it, is not what a record holds."""


def text(value: Any) -> str:
    """A string."""
    if not isinstance(value, str):
        raise Unreadable(f"no text: {value!r:.40}")
    return value


def whole(value: Any) -> int:
    """A whole number; a list of them (steps of several optimizers) is added up."""
    if isinstance(value, list):
        return sum(map(whole, value))
    if isinstance(value, bool) or not isinstance(value, int):
        raise Unreadable(f"no whole number: {value!r:.40}")
    return value


def number(value: Any) -> float:
    """A number; Python's JSON also writes NaN and Infinity, and a loss may be either."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Unreadable(f"no number: {value!r:.40}")
    try:
        return float(value)
    except OverflowError:
        return math.inf


def truth(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise Unreadable(f"neither true nor false: {value!r:.40}")
    return value


def items(value: Any) -> tuple[Any, ...]:
    """A list of anything, such as the sizes of a shape, of which some may be unknown."""
    if not isinstance(value, list):
        raise Unreadable(f"no list: {value!r:.40}")
    return tuple(value)


def texts(value: Any) -> tuple[str, ...]:
    """A list of strings."""
    return tuple(map(text, items(value)))


def wholes(value: Any) -> tuple[int, ...]:
    """A list of whole numbers; one alone is a list of one."""
    return (whole(value),) if isinstance(value, int) else tuple(map(whole, items(value)))


def rows(value: Any) -> tuple[tuple[float, ...], ...]:
    """A list of lists of numbers."""
    return tuple(tuple(map(number, items(each))) for each in items(value))


def table(value: Any) -> Mapping[str, str]:
    """Strings by name, in the order in which they were written."""
    if not isinstance(value, dict):
        raise Unreadable(f"no table: {value!r:.40}")
    return {key: text(each) for key, each in value.items()}


READERS: dict[str, Callable[[Any], Any]] = {
    "str": text,
    "str | None": text,
    "int": whole,
    "int | None": whole,
    "float": number,
    "float | None": number,
    "bool": truth,
    "tuple[Any, ...] | None": items,
    "tuple[str, ...]": texts,
    "tuple[int, ...]": wholes,
    "tuple[int, ...] | None": wholes,
    "tuple[tuple[float, ...], ...]": rows,
    "Mapping[str, str]": table,
}
