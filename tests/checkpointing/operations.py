"""The operators ◇ and • of the core language: on numbers with their derivatives, and on pairs."""

from __future__ import annotations

import math
from typing import Callable

from checkpointing.heap import Heap, Number, Pair

Real = Callable[[float], float]
Reals = Callable[[float, float], float]

# Each with its derivative by the operand.
OF_ONE: dict[str, tuple[Real, Real]] = {
    "-": (lambda x: -x, lambda x: -1.0),
    "sin": (math.sin, math.cos),
    "cos": (math.cos, lambda x: -math.sin(x)),
    "tanh": (math.tanh, lambda x: 1.0 - math.tanh(x) ** 2),
}
# Each with its derivatives by the left and the right operand.
OF_TWO: dict[str, tuple[Reals, Reals, Reals]] = {
    "+": (lambda x, y: x + y, lambda x, y: 1.0, lambda x, y: 1.0),
    "-": (lambda x, y: x - y, lambda x, y: 1.0, lambda x, y: -1.0),
    "*": (lambda x, y: x * y, lambda x, y: y, lambda x, y: x),
    "/": (lambda x, y: x / y, lambda x, y: 1.0 / y, lambda x, y: -x / y**2),
}


def is_true(value: object) -> bool:
    """What `if` makes of a value: only `False` is false."""
    return value is not False


def _of_one(function: Real, slope: Real) -> Callable[[Heap, object], object]:
    def operate(heap: Heap, x: object) -> object:
        assert isinstance(x, Number)
        return heap.record(Number(heap, function(x.value)), [(x, slope(x.value))])

    return operate


def _of_two(function: Reals, left: Reals, right: Reals) -> Callable[[Heap, object, object], object]:
    def operate(heap: Heap, x: object, y: object) -> object:
        assert isinstance(x, Number)
        assert isinstance(y, Number)
        slopes = [(x, left(x.value, y.value)), (y, right(x.value, y.value))]
        return heap.record(Number(heap, function(x.value, y.value)), slopes)

    return operate


def _first(heap: Heap, pair: object) -> object:
    assert isinstance(pair, Pair)
    return pair.first


def _second(heap: Heap, pair: object) -> object:
    assert isinstance(pair, Pair)
    return pair.second


def _is_less(heap: Heap, x: object, y: object) -> object:
    assert isinstance(x, Number)
    assert isinstance(y, Number)
    return x.value < y.value


UNARY: dict[str, Callable[[Heap, object], object]] = {
    **{name: _of_one(*pair) for name, pair in OF_ONE.items()},
    "car": _first,
    "cdr": _second,
}
BINARY: dict[str, Callable[[Heap, object, object], object]] = {
    **{name: _of_two(*three) for name, three in OF_TWO.items()},
    "cons": Pair,
    "<": _is_less,
}
