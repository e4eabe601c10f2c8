"""What programs of the core language allocate, counted while it lives.

Storage is counted in cells that are reachable: numbers, pairs, closures, bindings, frames of a
continuation, entries of the tape. CPython frees a cell as soon as nobody holds it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Heap:
    """Counts cells alive and steps taken; holds the tape while one is recorded."""

    live: int = 0
    peak: int = 0
    steps: int = 0
    tape: list[Entry] | None = None

    def record(self, result: Number, inputs: list[tuple[Number, float]]) -> Number:
        """Note how a number came from others, if reverse mode will ask; returns the number."""
        if self.tape is not None:
            self.tape.append(Entry(self, result, inputs))
        return result


class Cell:
    """Storage of one unit."""

    def __init__(self, heap: Heap) -> None:
        self.heap = heap
        heap.live += 1
        heap.peak = max(heap.peak, heap.live)

    def __del__(self) -> None:
        self.heap.live -= 1

    def parts(self) -> tuple[object, ...]:
        """The cells that this one refers to, in an order that every run repeats."""
        return ()


class Number(Cell):
    """A real number. Two of the same value are two numbers."""

    def __init__(self, heap: Heap, value: float) -> None:
        super().__init__(heap)
        self.value = value


class Pair(Cell):
    """Two values."""

    def __init__(self, heap: Heap, first: object, second: object) -> None:
        super().__init__(heap)
        self.first, self.second = first, second

    def parts(self) -> tuple[object, ...]:
        return self.first, self.second


class Entry(Cell):
    """An operation on the tape: its result, and the partial derivative by each input."""

    def __init__(self, heap: Heap, result: Number, inputs: list[tuple[Number, float]]) -> None:
        super().__init__(heap)
        self.result, self.inputs = result, inputs


def numbers(value: object) -> list[Number]:
    """Every number that a value holds, each once, in an order that depends on its shape only."""
    found: dict[Number, None] = {}
    seen: set[int] = set()
    waiting = [value]
    while waiting:
        cell = waiting.pop()
        if isinstance(cell, Number):
            found.setdefault(cell)
        elif isinstance(cell, Cell) and id(cell) not in seen:
            seen.add(id(cell))
            waiting.extend(reversed(cell.parts()))
    return list(found)
