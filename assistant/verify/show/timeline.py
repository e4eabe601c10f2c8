"""What the workers did when: their steps, their collectives and their waits, on one clock.

The probe writes the first collectives of a run one by one; behind them, and of those inside of a
compiled step, it counts them with each state. What is not written is not drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..record.beginnings import Init, Start
from ..record.endings import Done, End, Error, Limited, Waiting
from ..record.events import Broadcast, Collective, Event, Loss, State

if TYPE_CHECKING:
    from ..record.arrivals import Arrivals
    from ..record.records import Worker

MOST = 400  # moments of one kind of one worker; more are one beside the other in any picture
STEP, COLLECTIVE, TRACED, WAIT, BROADCAST = "step", "collective", "traced", "wait", "broadcast"
START, INIT, ERROR, END = "start", "init", "error", "end"


class Moment(NamedTuple):
    """Something a worker did, `at` seconds after the first thing that any of them did.

    `lasted` is None where it took no time that was measured.
    """

    at: float
    kind: str
    what: str
    lasted: float | None = None
    where: str | None = None


def moments(
    workers: Mapping[int, Worker], came: Sequence[Arrivals] = ()
) -> dict[int, tuple[Moment, ...]]:
    """What each worker did, oldest first, by rank; of many moments of a kind some are left out.

    `came`: what Horovod itself measured takes the place of the waits that the probe saw, which are
    none of those in compiled steps.
    """
    first = beginning(workers)
    found = {}
    for rank, worker in workers.items():
        told = [each for each in _moments_of(worker, first) if not came or each.kind != WAIT]
        found[rank] = tuple(_thin_out([*told, *_waits_of(rank, came, first)]))
    return found


def _waits_of(rank: int, came: Sequence[Arrivals], first: float) -> Iterator[Moment]:
    for each in came:
        if rank in each.ready and each.straggler != rank:
            ready = each.ready[rank]
            what = f"{_label_of(each.kind, each.name)}, for worker {each.straggler}"
            yield Moment(ready - first, WAIT, what, each.last - ready)


def beginning(workers: Mapping[int, Worker]) -> float:
    """When the first thing happened that any of them did, in seconds after the epoch."""
    times = (event.t for worker in workers.values() for event in worker.events)
    return min(times, default=0.0)


def _moments_of(worker: Worker, first: float) -> Iterator[Moment]:
    waiting: tuple[Moment, float] | None = None
    for event in worker.events:
        if isinstance(event, Waiting):
            said = Moment(
                event.t - first, WAIT, _label_of(event.kind, event.name), None, event.where
            )
            waiting = said, event.t
        elif isinstance(event, Done) and waiting:
            said, since = waiting
            yield said._replace(lasted=max(event.t - since, 0.0))
            waiting = None
        else:
            yield from _moment(event, first)
    if waiting:
        yield waiting[0]  # nobody saw it come back


def _moment(event: Event, first: float) -> Iterator[Moment]:
    at = event.t - first
    if isinstance(event, State) and event.at == "step":
        yield Moment(at, STEP, f"step {sum(event.steps)}")
    elif isinstance(event, Loss):
        yield Moment(at, STEP, f"step {event.steps}, loss {event.value:.4g}")
    elif isinstance(event, Collective):
        kind = TRACED if event.traced else COLLECTIVE
        yield Moment(at, kind, _label_of(event.kind, event.name), None, event.where)
    elif isinstance(event, Broadcast):
        what = f"{event.count} values from worker {event.root or 0}"
        yield Moment(at, BROADCAST, what, None, event.where)
    else:
        yield from _end(event, at)


def _end(event: Event, at: float) -> Iterator[Moment]:
    if isinstance(event, Start):
        yield Moment(at, START, "started")
    elif isinstance(event, Init):
        yield Moment(at, INIT, "hvd.init()", None, event.where)
    elif isinstance(event, Error):
        yield Moment(at, ERROR, f"{event.type}: {event.message}"[:200], None, event.where)
    elif isinstance(event, (End, Limited)):
        yield Moment(at, END, f"left after {event.steps} steps")


def _label_of(kind: str, name: str | None) -> str:
    return f"{kind} {name}"[:200] if name else kind


def _thin_out(told: Iterable[Moment]) -> list[Moment]:
    """In order of time; of each kind at most so many, evenly chosen, the last among them."""
    by_kind: dict[str, list[Moment]] = {}
    for each in sorted(told, key=lambda each: each.at):
        by_kind.setdefault(each.kind, []).append(each)
    kept = [each for found in by_kind.values() for each in _evenly_chosen(found)]
    return sorted(kept, key=lambda each: each.at)


def _evenly_chosen(found: list[Moment]) -> list[Moment]:
    if len(found) <= MOST:
        return found
    last = len(found) - 1
    return [found[round(number * last / (MOST - 1))] for number in range(MOST)]
