"""What comes behind a loop: an exit has a value once the last turn has come to its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .kernel import EXIT, HEAD, Operation


class Turns(NamedTuple):
    """Where the turns of a loop begin for one of its values, and where each of them ends."""

    head: int
    back: int


def turns(operations: Sequence[Operation]) -> Mapping[int, Turns]:
    """By exit. An exit fires after the end of each turn; its inputs alone don't say so."""
    found: dict[int, Turns] = {}
    for number, operation in enumerate(operations):
        if operation.kind == EXIT and operation.inputs:
            switch = operations[operation.inputs[0].of]
            head = switch.inputs[0].of if switch.inputs else None
            if head is not None and operations[head].kind == HEAD:
                back = operations[head].back
                if back is not None:
                    found[number] = Turns(head, back.of)
    return found
