"""The values of all workers, compared at every step at which all of them were looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..events import State
from ._seen import everyone
from ._words import same

if TYPE_CHECKING:
    from ..evidence import Evidence
    from ..records import Worker

Steps = tuple[int, ...]


@dataclass(frozen=True)
class Point:
    """One comparison: after these steps, these of so many values differ."""

    steps: Steps
    compared: int
    differing: tuple[str, ...]  # keys as in State.hashes
    ranks: tuple[int, ...]  # workers that differ from the first one


@dataclass(frozen=True)
class Comparison:
    """All points, the earliest first; only points at which something was compared."""

    points: tuple[Point, ...]
    moving: tuple[str, ...]  # moving statistics that differ at the last point

    @property
    def apart(self) -> tuple[Point, ...]:
        """The points at which some variable differs."""
        return tuple(point for point in self.points if point.differing)

    @property
    def first_apart(self) -> Point | None:
        """The first of them; None where all are equal."""
        return next(iter(self.apart), None)

    @property
    def last_equal_before(self) -> Point | None:
        """The point before the first one that differs."""
        before = None
        for point in self.points:
            if point.differing:
                break
            before = point
        return before


def compare(evidence: Evidence) -> Comparison:
    """Compares what all workers have in common; there are no points where that is nothing."""
    states = {worker.rank: _by_steps(worker, evidence) for worker in everyone(evidence)}
    if len(states) < 2:
        return Comparison((), ())
    common = set.intersection(*(set(found) for found in states.values()))
    points: list[Point] = []
    moving: tuple[str, ...] = ()
    for steps in sorted(common, key=_total):
        here = {rank: found[steps] for rank, found in states.items()}
        point = _point(steps, {rank: state.hashes for rank, state in here.items()})
        if point.compared:
            points.append(point)
            moving = _point(steps, {rank: state.moving for rank, state in here.items()}).differing
    return Comparison(tuple(points), moving)


def _total(steps: Steps) -> tuple[int, Steps]:
    return sum(steps), steps


def _by_steps(worker: Worker, evidence: Evidence) -> dict[Steps, State]:
    """States by steps. After a failure a last state may be one in the middle of a step."""
    states = worker.all(State)
    if evidence.ending != "done":
        states = tuple(state for state in states if state.at == "step")
    return {state.steps: state for state in states if any(state.steps)}


def _point(steps: Steps, values: Mapping[int, Mapping[str, str]]) -> Point:
    if not same(sorted(found) for found in values.values()):
        values = _by_index(values)
    first, *others = values.values()
    common = [key for key in first if all(key in other for other in others)]
    differing = tuple(k for k in common if any(other[k] != first[k] for other in others))
    ranks = tuple(
        rank for rank, found in values.items() if any(found[k] != first[k] for k in differing)
    )
    return Point(steps, len(common), differing, ranks)


def _by_index(values: Mapping[int, Mapping[str, str]]) -> dict[int, dict[str, str]]:
    """Values under the names of the first worker.

    Keras numbers layers as they are made, so a worker that made one more calls its variables
    otherwise; the optimizer and the index are the same.
    """
    names: dict[tuple[str, bool, str], str] = {}
    renamed: dict[int, dict[str, str]] = {}
    for rank, found in values.items():
        renamed[rank] = {names.setdefault(_place(key), key): found[key] for key in found}
    return renamed


def _place(key: str) -> tuple[str, bool, str]:
    owner, _, name = key.partition("/")
    return owner, name.startswith("slot/"), name.rpartition("#")[2]
