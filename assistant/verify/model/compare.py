"""What is the same in the programs of several workers, whatever its operations are called.

Operations are numbered by what they compute (value numbering): two get the same number if they do
the same with the same inputs. So an operation more on one worker, as under a condition in Python,
makes only that different which depends on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .guards import Guarded
from .kernel import COLLECTIVE, HEAD, READS, SOURCE, VAR, Operation, Program

Writes = Mapping[str, Counter[int]]


@dataclass(frozen=True)
class Numbered:
    """A number for each operation, and the numbers of what writes each variable."""

    numbers: tuple[int, ...]
    writes: Writes


@dataclass(frozen=True)
class Differences:
    """`operations`: those of the first worker that another one lacks; `variables`: those that
    another one writes otherwise."""

    operations: frozenset[int] = frozenset()
    variables: frozenset[str] = frozenset()


def numbered(program: Program, guards: Guarded, known: dict[Any, int]) -> Numbered:
    """Numbers the operations of a program; `known` is shared by all that are compared."""
    numbers: list[int] = []
    writes: dict[str, Counter[int]] = {}
    for operation, under in zip(program.operations, guards.under):
        inputs = tuple((numbers[each.of], each.slot) for each in operation.inputs)
        guard = frozenset((numbers[g.of], g.slot) for g in under or () if g.of < len(numbers))
        key = (*_own(operation), *((inputs, guard) if operation.kind != COLLECTIVE else (guard,)))
        number = known.setdefault(key, len(known))
        numbers.append(number)
        for access in operation.accesses if under is not None else ():
            if access.how != READS:
                writes.setdefault(access.variable, Counter())[number] += 1
    return Numbered(tuple(numbers), writes)


def _own(operation: Operation) -> tuple[Any, ...]:
    """What an operation is without its inputs; sources and states are told apart by name."""
    named = operation.kind in (SOURCE, VAR, HEAD) or bool(operation.accesses)
    return (
        operation.kind,
        operation.function,
        operation.accesses,
        operation.of,
        operation.value,
        operation.digest,
        operation.agrees,
        operation.name if named and operation.kind in (SOURCE, HEAD) else "",
    )


def differences(programs: Sequence[tuple[Program, Guarded]]) -> Differences:
    """Between the first program and the others, each of another worker."""
    known: dict[Any, int] = {}
    first, *others = [numbered(program, guards, known) for program, guards in programs]
    lacking: set[int] = set()
    written: set[str] = set()
    for other in others:
        theirs = set(other.numbers)
        lacking |= {k for k, number in enumerate(first.numbers) if number not in theirs}
        every = {*first.writes, *other.writes}
        written |= {each for each in every if first.writes.get(each) != other.writes.get(each)}
    return Differences(frozenset(_first_of(programs[0][0], lacking)), frozenset(written))


def _first_of(program: Program, lacking: set[int]) -> set[int]:
    """Those that differ by themselves, not only by what they are given."""
    return {
        k for k in lacking if not any(each.of in lacking for each in program.operations[k].inputs)
    }
