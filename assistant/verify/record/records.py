"""Reads what the probe wrote down: one event a line, one file a worker.

A worker may be killed in the middle of a line, an older probe may lack a field, and a program may
write into the folder: whatever can't be read as an event is counted and left out, never guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from ..run import bounds
from .events import KINDS, Event
from .readers import READERS, Unreadable

NAME = re.compile(r"rank(\d{1,6})\.jsonl")
LONGEST = 64 << 20  # characters of one line; longer ones are no records of ours
EVENTS = 1_000_000  # of one worker
E = TypeVar("E", bound=Event)


@dataclass(frozen=True)
class Worker:
    """One process and all that it left behind, in the order in which it was written."""

    rank: int
    events: tuple[Event, ...] = ()
    unreadable: int = 0  # lines that are no events
    progress: int | None = None  # optimizer steps, where the worker got to write nothing more
    stack: str = ""  # of all threads, where the worker was asked for it

    @cached_property
    def _by_kind(self) -> Mapping[type[Event], tuple[Event, ...]]:
        found: dict[type[Event], list[Event]] = {}
        for event in self.events:
            found.setdefault(type(event), []).append(event)
        return {kind: tuple(events) for kind, events in found.items()}

    def all(self, kind: type[E]) -> tuple[E, ...]:
        """Every event of a kind, oldest first."""
        return self._by_kind.get(kind, ())  # type: ignore[return-value]

    def last(self, kind: type[E]) -> E | None:
        """The newest event of a kind."""
        return next(reversed(self.all(kind)), None)


def event(line: str) -> Event | None:
    """One line as an event; None for events that this version doesn't know.

    Raises Unreadable where the line is no event, or lacks what its kind can't do without.
    """
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Unreadable(str(error)) from None
    if not isinstance(found, dict) or not isinstance(found.get("event"), str):
        raise Unreadable("no event")
    kind = KINDS.get(found["event"])
    return _build(kind, found) if kind else None


def _build(kind: type[E], found: Mapping[str, Any]) -> E:
    values = {}
    for each in fields(kind):
        key = each.metadata.get("key", each.name)
        if found.get(key) is not None:
            values[each.name] = READERS[str(each.type)](found[key])
        elif each.default is MISSING and each.default_factory is MISSING:
            raise Unreadable(f"no {key}")
    return kind(**values)


def worker(rank: int, lines: Iterable[str]) -> Worker:
    """The events of one file; lines that can't be read are counted."""
    events: list[Event] = []
    unreadable = 0
    for line in lines:
        if not line.strip():
            continue
        if len(events) >= EVENTS:
            unreadable += 1
            break
        try:
            found = event(line)
        except Unreadable:
            unreadable += 1
            continue
        if found is not None:
            events.append(found)
    return Worker(rank, tuple(events), unreadable)


def read(folder: Path) -> dict[int, Worker]:
    """Every worker that left records in a folder, by rank; a program may have removed it."""
    found = {}
    for path in folder.iterdir() if folder.is_dir() else ():
        match = NAME.fullmatch(path.name)
        if match and path.is_file():
            found[int(match[1])] = _worker(folder, int(match[1]), path)
    return dict(sorted(found.items()))


def _worker(folder: Path, rank: int, path: Path) -> Worker:
    try:
        read = worker(rank, bounds.lines(path, LONGEST))
    except OSError:
        return Worker(rank, unreadable=1)
    progress = bounds.text(folder / f"rank{rank}.progress").strip()
    steps = int(progress) if re.fullmatch(r"\d{1,18}", progress) else None
    stack = bounds.text(folder / f"rank{rank}.stack")
    return Worker(rank, read.events, read.unreadable, steps, stack)
