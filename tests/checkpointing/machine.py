"""PRIMOPS, INTERRUPT and RESUME: how long a program runs, and how it is run in parts.

Seed 004, "General-Purpose Interruption and Resumption Interface", by threaded CPS.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

from checkpointing.heap import Cell, Heap
from checkpointing.language import Binding, Closure, Expression, Frame, Give, Todo


class Capsule(Cell):
    """[[k, f]]: an interrupted computation. `left` counts the steps that its function still has."""

    def __init__(self, heap: Heap, todo: Todo, left: float) -> None:
        super().__init__(heap)
        self.todo, self.left = todo, left

    def parts(self) -> tuple[object, ...]:
        return self.todo.environment, self.todo.continuation


class Function:
    """What is differentiated: where it begins for an argument, and after how many steps it ends."""

    def begin(self, x: object) -> tuple[Todo, float]:
        """What is to be done first, and the steps after which the function is at its end."""
        raise NotImplementedError


@dataclass(frozen=True)
class Program(Function):
    """λx.e"""

    closure: Closure

    def begin(self, x: object) -> tuple[Todo, float]:
        return self.closure.call(x, None), math.inf


class Resume(Function):
    """λz.RESUME z"""

    def begin(self, x: object) -> tuple[Todo, float]:
        capsule = cast(Capsule, x)
        return capsule.todo, capsule.left


@dataclass(frozen=True)
class Interrupted(Function):
    """λx.INTERRUPT f x l"""

    function: Function
    limit: int

    def begin(self, x: object) -> tuple[Todo, float]:
        return self.function.begin(x)[0], self.limit


def primops(function: Function, x: object, heap: Heap) -> int:
    """PRIMOPS f x: the number of steps."""
    before = heap.steps
    evaluate(function, x, heap)
    return heap.steps - before


def interrupt(function: Function, x: object, limit: int, heap: Heap) -> object:
    """INTERRUPT f x l: a capsule after so many steps, or the value if there are fewer."""
    todo, end = function.begin(x)
    return advance(todo, min(limit, end), end, heap)


def evaluate(function: Function, x: object, heap: Heap) -> object:
    """f x"""
    todo, end = function.begin(x)
    return advance(todo, end, end, heap)


def resume(capsule: object, heap: Heap) -> object:
    """RESUME z"""
    return evaluate(Resume(), capsule, heap)


def advance(todo: Todo, limit: float, end: float, heap: Heap) -> object:
    """Take steps until there is a value, or a capsule at the limit."""
    expression, environment, continuation = todo
    del todo  # or what the first step no longer needs would stay until the end
    count = 0
    while True:
        if count == limit:
            return Capsule(heap, Todo(expression, environment, continuation), end - limit)
        count += 1
        heap.steps += 1
        found = expression.evaluate(environment, continuation, heap)
        environment = continuation = None
        while isinstance(found, Give):
            if found.continuation is None:
                return found.value
            found = found.continuation.take(found.value)
        expression, environment, continuation = found
        del found


def closure(expression: Expression, heap: Heap) -> Closure:
    """The function that a program without free variables is."""
    nothing: tuple[Binding | None, Frame | None] = (None, None)
    value = advance(Todo(expression, *nothing), math.inf, math.inf, heap)
    assert isinstance(value, Closure)
    return value
