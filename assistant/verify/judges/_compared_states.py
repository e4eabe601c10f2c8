"""The values of all workers, compared at every step at which all of them were looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..record.events import Local, State
from ._joins import common_steps
from ._seen import across, everyone, missing
from ._words import same

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from ..record.records import Worker

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
    """All points, the earliest first; only points at which something was compared.

    `local`: values that differ and that the program keeps of each worker's own, as it told Horovod;
    `behind`: those that differ at the end only, and were equal behind the last step.
    """

    points: tuple[Point, ...]
    moving: tuple[str, ...] = ()  # moving statistics that differ at the last point
    local: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()

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
    workers = everyone(evidence)
    if len(workers) < 2:
        return Comparison(())
    by_steps = [{s.steps: s for s in _of(worker, "step")} for worker in workers]
    common = set.intersection(*(set(found) for found in by_steps))
    limit = common_steps(evidence)
    common = {steps for steps in common if limit is None or sum(steps) < limit}
    at = [[found[steps] for found in by_steps] for steps in sorted(common, key=_total)]
    ends = _ends(evidence)
    behind: tuple[str, ...] = ()
    if ends:  # it stands for what was seen at the entry of a next step, too
        at = [states for states in at if states[0].steps != ends[0].steps]
        behind = _behind(evidence, ends)
        at += [] if behind else [ends]
    return _compare_points(evidence, at, behind)


def _compare_points(
    evidence: Evidence, at: Sequence[Sequence[State]], behind: tuple[str, ...]
) -> Comparison:
    """`at`: the states of all workers at each point."""
    ranks = [worker.rank for worker in everyone(evidence)]
    names = frozenset(each.name.removesuffix(":0") for each in across(evidence, Local))
    points: list[Point] = []
    moving: tuple[str, ...] = ()
    local: dict[str, None] = {}
    for states in at:
        steps = states[0].steps
        point = _point(steps, dict(zip(ranks, (state.hashes for state in states))))
        own = [key for key in point.differing if is_local(key, names)]
        local.update(dict.fromkeys(own))
        differing = tuple(key for key in point.differing if key not in own)
        point = replace(point, differing=differing, ranks=point.ranks if differing else ())
        if point.compared:
            points.append(point)
            moving = _point(steps, dict(zip(ranks, (s.moving for s in states)))).differing
    return Comparison(tuple(points), moving, tuple(local), behind)


def is_local(key: str, names: frozenset[str]) -> bool:
    """Whether a key is that of such a variable, or of a slot of it."""
    name = key.partition("/")[2].rpartition("#")[0].removesuffix(":0")
    return name in names or (name.startswith("slot/") and any(each in name for each in names))


def _of(worker: Worker, at: str) -> list[State]:
    return [state for state in worker.all(State) if state.at == at and any(state.steps)]


def _ends(evidence: Evidence) -> list[State]:
    """The last states of all workers, where all came to their end after the same steps.

    After a failure a last state may be one in the middle of a step.
    """
    if evidence.ending != "done" or missing(evidence):
        return []
    found = [state for worker in everyone(evidence) for state in _of(worker, "end")[-1:]]
    complete = len(found) == len(everyone(evidence))
    return found if complete and same(state.steps for state in found) else []


def _behind(evidence: Evidence, ends: Sequence[State]) -> tuple[str, ...]:
    """What differs at the end though it was equal right behind the last step."""
    found = [state for worker in everyone(evidence) for state in _of(worker, "behind")[-1:]]
    if len(found) < len(ends) or not same(state.steps for state in (*found, *ends)):
        return ()
    steps, ranks = ends[0].steps, range(len(ends))
    if _point(steps, dict(zip(ranks, (state.hashes for state in found)))).differing:
        return ()
    return _point(steps, dict(zip(ranks, (state.hashes for state in ends)))).differing


def _total(steps: Steps) -> tuple[int, Steps]:
    return sum(steps), steps


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
