"""What the workers did, as chrome://tracing and https://ui.perfetto.dev show it.

The "Trace Event Format": a process for each worker, on it its moments and its waits, and on a
second line the collectives that it waited in, from when it was ready until the last one came.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..verify.record import arrivals
from ..verify.show import timeline
from .dumped import dumped

if TYPE_CHECKING:
    from ..verify.record.evidence import Evidence

PROGRAM, COLLECTIVES = 0, 1  # the lines of a worker


def trace(evidence: Evidence) -> str:
    """The document, with only ASCII in it."""
    events = [*_workers(evidence), *_moments(evidence), *_arrivals(evidence)]
    return dumped({"displayTimeUnit": "ms", "traceEvents": events})


def _rank(evidence: Evidence, number: int) -> int:
    return evidence.job.ranks[number] if evidence.job.ranks else number


def _workers(evidence: Evidence) -> Iterator[dict[str, Any]]:
    for number in sorted(evidence.workers):
        rank = _rank(evidence, number)
        yield _name_event("process_name", rank, PROGRAM, f"worker {rank}")
        yield _name_event("thread_name", rank, PROGRAM, "the program")
        yield _name_event("thread_name", rank, COLLECTIVES, "collectives, until the last one came")


def _name_event(what: str, rank: int, line: int, name: str) -> dict[str, Any]:
    return {"name": what, "ph": "M", "pid": rank, "tid": line, "args": {"name": name}}


def _moments(evidence: Evidence) -> Iterator[dict[str, Any]]:
    for number, found in timeline.moments(evidence.workers).items():
        for each in found:
            event = {
                "name": each.what,
                "cat": each.kind,
                "ts": _micro(each.at),
                "pid": _rank(evidence, number),
                "tid": PROGRAM,
                **({"args": {"where": each.where}} if each.where else {}),
            }
            lasted = None if each.lasted is None else _micro(each.lasted)
            yield {**event, **({"ph": "i", "s": "t"} if lasted is None else _long(lasted))}


def _arrivals(evidence: Evidence) -> Iterator[dict[str, Any]]:
    begun = timeline.beginning(evidence.workers)
    for each in arrivals.read(evidence.folder):
        for number, ready in each.ready.items():
            yield {
                "name": each.kind,
                "cat": "first arrival" if each.first else "arrival",
                "ts": _micro(ready - begun),
                "pid": _rank(evidence, number),
                "tid": COLLECTIVES,
                "args": {"name": each.name, "last": _rank(evidence, each.straggler)},
                **_long(_micro(each.last - ready)),
            }


def _long(lasted: int) -> dict[str, Any]:
    return {"ph": "X", "dur": lasted}


def _micro(seconds: float) -> int:
    return round(seconds * 1e6)
