"""When each worker came to each collective, also to those inside of a compiled step.

Horovod itself writes that on worker 0, on one clock (its timeline, HOROVOD_TIMELINE): a collective
is negotiated from the first worker that is ready on to the last. It does so for all of them only
where it remembers no answers (HOROVOD_CACHE_CAPACITY=0): so only who asks for `--timeline` gets it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..run import bounds

FILE = "horovod-timeline.json"
MOST = 64 << 20  # characters that are read
_NEGOTIATE = "NEGOTIATE_"
Interval = tuple[float, float]


@dataclass(frozen=True)
class Arrivals:
    """A collective, and when each worker was ready for it, in seconds after the epoch."""

    kind: str
    name: str
    ready: Mapping[int, float]
    first: bool  # of its name: there workers trace and compile

    @property
    def last(self) -> float:
        """When it could begin."""
        return max(self.ready.values())

    @property
    def straggler(self) -> int:
        """Who came last."""
        return max(self.ready, key=self.ready.__getitem__)


def settings(folder: Path) -> dict[str, str]:
    """What Horovod is told, so that it writes all of them."""
    return {"HOROVOD_TIMELINE": str(folder / FILE), "HOROVOD_CACHE_CAPACITY": "0"}


def read(folder: Path) -> list[Arrivals]:
    """All collectives of a run; nothing where it was not asked for, or is too much."""
    return list(arrivals(_events(bounds.text(folder / FILE, MOST))))


def _events(text: str) -> Iterator[dict[str, Any]]:
    """Those of a list that may have no end: the job was ended, or nobody closed it."""
    decoder, at = json.JSONDecoder(), 0
    while (at := text.find("{", at)) >= 0:
        try:
            event, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        if isinstance(event, dict):
            yield event


def arrivals(events: Iterable[Mapping[str, Any]]) -> Iterator[Arrivals]:
    """Each negotiation that all came to, of events as the timeline has them."""
    begun, names, seen = 0.0, dict[str, str](), set[str]()
    open_: dict[str, tuple[str, dict[int, float]]] = {}
    for event in events:
        number, phase, name = str(event.get("pid")), event.get("ph"), str(event.get("name", ""))
        at = begun + _number(event.get("ts")) / 1e6
        if phase == "M":
            given = event.get("args")
            given = given if isinstance(given, dict) else {}
            begun = _number(given.get("start_time_since_epoch_in_micros")) / 1e6 or begun
            names.setdefault(number, str(given.get("name", ""))) if "name" in given else None
        elif phase == "B" and name.startswith(_NEGOTIATE):
            open_[number] = (name.removeprefix(_NEGOTIATE).lower(), {})
        elif phase == "X" and number in open_ and name.isdecimal():
            open_[number][1][int(name)] = at
        elif phase == "E" and number in open_:
            kind, ready = open_.pop(number)
            called = names.get(number, "")
            if len(ready) > 1:
                yield Arrivals(kind, called, ready, called not in seen)
            seen.add(called)


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0


# ---------------------------------------------------------------- who waits for whom


@dataclass(frozen=True)
class Waits:
    """Of one worker: seconds in which it waited for others, in which others waited for it alone,
    and in how many collectives it came last."""

    waited: float
    kept: float
    last: int


def waits(found: Sequence[Arrivals]) -> dict[int, Waits]:
    """By worker; what is waited for at the same time counts once, first times not at all."""
    found = [each for each in found if not each.first]
    ranks = sorted({rank for each in found for rank in each.ready})
    return {
        rank: Waits(
            _length((each.ready[rank], each.last) for each in found if rank in each.ready),
            _length(_alone(each) for each in found if each.straggler == rank),
            sum(each.straggler == rank for each in found),
        )
        for rank in ranks
    }


def _alone(each: Arrivals) -> Interval:
    """From when all others were ready."""
    return sorted(each.ready.values())[-2], each.last


def _length(intervals: Iterable[Interval]) -> float:
    """How long some time is that is covered by intervals, each moment once."""
    total, until = 0.0, float("-inf")
    for begin, end in sorted(intervals):
        total += max(0.0, end - max(begin, until))
        until = max(until, end)
    return total


def seconds(found: Sequence[Arrivals]) -> float:
    """From the first collective that counts to the last."""
    times = [time for each in found if not each.first for time in each.ready.values()]
    return max(times) - min(times) if times else 0.0
