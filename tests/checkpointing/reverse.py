"""←J, reverse mode, and ✓J, the same by divide and conquer.

Seed 004, "Algorithm for Divide-and-Conquer Checkpointing via General-Purpose Interruption and
Resumption Interface"; the numbers in brackets are its steps. A cotangent of a value is one number
for each number that the value holds, capsules included.
"""

from __future__ import annotations

from checkpointing.heap import Heap, Number, numbers
from checkpointing.machine import Function, Interrupted, Resume, evaluate, interrupt, primops

Cotangent = list[Number]


def reverse(f: Function, x: object, y_: Cotangent, heap: Heap) -> tuple[object, Cotangent]:
    """←J f x ẏ: the value, and the cotangent of x."""
    heap.tape = []
    y = evaluate(f, x, heap)
    tape, heap.tape = heap.tape, None
    sums: dict[Number, float] = {}
    for number, cotangent in zip(numbers(y), y_):
        sums[number] = sums.get(number, 0.0) + cotangent.value
    while tape:
        entry = tape.pop()
        cotangent_of_result = sums.pop(entry.result, 0.0)
        for number, slope in entry.inputs:
            sums[number] = sums.get(number, 0.0) + cotangent_of_result * slope
    return y, [Number(heap, sums.get(number, 0.0)) for number in numbers(x)]


def checkpointed(
    f: Function, x: object, y_: Cotangent, heap: Heap, base: int
) -> tuple[object, Cotangent]:
    """✓J f x ẏ; `base` is the number of steps that are short."""
    return _halves(f, x, y_, heap, base, primops(f, x, heap))  # (1)


def _halves(
    f: Function, x: object, y_: Cotangent, heap: Heap, base: int, length: int
) -> tuple[object, Cotangent]:
    if length <= base:
        return reverse(f, x, y_, heap)  # (0)
    half = length // 2
    z = interrupt(f, x, half, heap)  # (2)
    y, z_ = _halves(Resume(), z, y_, heap, base, length - half)  # (3)
    del z  # the left half makes it again
    _, x_ = _halves(Interrupted(f, half), x, z_, heap, base, half)  # (4)
    return y, x_
