"""The last values of workers that came to their end after different numbers of steps.

Where gradients are averaged nobody can be ahead of another, so one of them left a step out: it
averaged, and did not apply. States are compared after equal numbers of steps, which from there on
are those of different calls; only the ends belong together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..record.endings import Limited
from ..record.events import Collective, Local, State
from ._compared_states import Steps, is_local
from ._joins import is_sent_to, joins
from ._seen import across, averages, everyone, missing
from ._words import listed, same, step

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from ..record.records import Worker

Values = Mapping[str, str]  # hashes by key, as in State.hashes


@dataclass(frozen=True)
class Endings:
    """Steps by worker; how many values all of them have, and which of those differ."""

    made: Mapping[int, Steps]
    compared: int
    differing: tuple[str, ...]

    @property
    def told(self) -> str:
        """`step 200 on worker 0 and step 231 on worker 1`."""
        return listed(f"{step(made)} on worker {rank}" for rank, made in self.made.items())


def uneven(evidence: Evidence) -> Endings | None:
    """None where all made equal steps, or may make others, or didn't all come to their end."""
    return None if any(map(joins, everyone(evidence))) else _of_all(evidence)


def left_behind(evidence: Evidence) -> Endings | None:
    """Workers that joined, others went on, and all ended so: what was trained then is not theirs.

    Slots count for nothing there: they are of use to further steps only.
    """
    found = apart_behind_a_join(evidence)
    least = min(map(sum, found.made.values())) if found else 0
    early = [rank for rank, made in found.made.items() if sum(made) == least] if found else []
    return found if all(_got_nothing(evidence.workers[rank]) for rank in early) else None


def apart_behind_a_join(evidence: Evidence) -> Endings | None:
    """Weights that differ at the end of workers that joined, after other numbers of steps."""
    found = _of_all(evidence) if any(map(joins, everyone(evidence))) else None
    weights = tuple(key for key in found.differing if not _is_slot(key)) if found else ()
    return replace(found, differing=weights) if found and weights else None


def _got_nothing(worker: Worker) -> bool:
    """Whether it ended with the weights of its last step, or called nothing after its join."""
    behind = next((s for s in reversed(worker.all(State)) if s.at == "behind"), None)
    end, last = _last(worker), max(joins(worker), key=_number, default=None)
    went_on = last is None or end is None or last.steps not in (None, sum(end.steps))
    if went_on and is_sent_to(worker):
        return False
    if behind is not None and end is not None and behind.steps == end.steps:
        return all(end.hashes.get(k) == v for k, v in behind.hashes.items() if not _is_slot(k))
    return last is not None and not any(each.n > last.n for each in worker.all(Collective))


def _number(collective: Collective) -> int:
    return collective.n


def _is_slot(key: str) -> bool:
    return "/slot/" in key


def _of_all(evidence: Evidence) -> Endings | None:
    if evidence.ending != "done" or missing(evidence) or not averages(evidence):
        return None
    if any(across(evidence, Limited)):
        return None
    states = {worker.rank: _last(worker) for worker in everyone(evidence)}
    found = {rank: state for rank, state in states.items() if state is not None}
    if len(found) < len(states) or same(state.steps for state in found.values()):
        return None
    first, *others = [state.hashes for state in found.values()]
    common = [*_common(first, others)]
    differing = tuple(key for key in common if any(other[key] != first[key] for other in others))
    names = frozenset(each.name.removesuffix(":0") for each in across(evidence, Local))
    differing = tuple(key for key in differing if not is_local(key, names))
    if all(map(_is_slot, differing)):
        differing = ()  # the count of steps is itself a slot, and says no more than the steps
    made = {rank: state.steps for rank, state in found.items()}
    return Endings(made, len(common), differing)


def _last(worker: Worker) -> State | None:
    return next((state for state in reversed(worker.all(State)) if state.at == "end"), None)


def _common(first: Values, others: list[Values]) -> Iterator[str]:
    """What belongs to optimizers that have the same variables on all workers."""
    kept = [_by_optimizer(values) for values in others]
    for number, keys in _by_optimizer(first).items():
        if all(other.get(number) == keys for other in kept):
            yield from keys


def _by_optimizer(values: Values) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key in sorted(values):
        found.setdefault(key.partition("/")[0], []).append(key)
    return found
