"""Races between two runs of a session that overlap, as threads make them: lock-free updates.

Both runs are laid beside each other as one program, and only pairs of the two are asked for. What
their queues do is left to chance by design there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .guards import guarded
from .kernel import Operation, Port, Program
from .races import ENTRIES, Race, races


def beside(one: Program, other: Program) -> Program:
    """Two runs on the same variables and queues, with nothing between them."""
    moved = (_moved(each, len(one.operations)) for each in other.operations)
    return Program(
        (*one.operations, *moved),
        {**one.variables, **other.variables},
        {**one.queues, **other.queues},
        references=one.references | other.references,
        unordered=one.unordered | other.unordered,
    )


def _moved(operation: Operation, by: int) -> Operation:
    def port(each: Port) -> Port:
        return Port(each.of + by, each.slot)

    return replace(
        operation,
        inputs=tuple(map(port, operation.inputs)),
        controls=tuple(each + by for each in operation.controls),
        back=port(operation.back) if operation.back else None,
        test=None if operation.test is None else operation.test + by,
    )


def between(one: Program, other: Program) -> tuple[Program, list[Race]]:
    """The two as one program, and the races between them."""
    both = beside(one, other)
    return both, list(_across(both, len(one.operations)))


def _across(both: Program, middle: int) -> Iterator[Race]:
    for race in races(both, guarded(both)):
        if (race.first < middle) != (race.second < middle) and race.kind != ENTRIES:
            yield race._replace(between="runs")
