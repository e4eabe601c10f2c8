"""Prints what reverse mode costs a loop of the core language, with and without checkpointing.

One JSON object: for each number of iterations the steps of the program, and cells and steps of a
gradient by either way. `bench/memory.py` draws it beside TensorFlow.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from checkpointing.heap import Heap, Number
from checkpointing.machine import Program, closure, primops
from checkpointing.reverse import checkpointed, reverse
from checkpointing.written import chain

BASE = 16


def cost(count: int, is_checkpointed: bool) -> dict[str, int]:
    """Cells and steps of one gradient of a loop of `count` iterations."""
    heap = Heap()
    f, x, one = Program(closure(chain(count), heap)), Number(heap, 0.7), [Number(heap, 1.0)]
    if is_checkpointed:
        checkpointed(f, x, one, heap, BASE)
    else:
        reverse(f, x, one, heap)
    return {"cells": heap.peak, "steps": heap.steps}


def length(count: int) -> int:
    """The steps of the loop itself."""
    heap = Heap()
    return primops(Program(closure(chain(count), heap)), Number(heap, 0.7), heap)


def curves(counts: list[int]) -> dict[str, list[dict[str, int]]]:
    """What is printed."""
    return {
        "program": [{"iterations": count, "steps": length(count)} for count in counts],
        "none": [cost(count, is_checkpointed=False) for count in counts],
        "halves": [cost(count, is_checkpointed=True) for count in counts],
    }


if __name__ == "__main__":
    print(json.dumps(curves([int(count) for count in sys.argv[1:]])))
