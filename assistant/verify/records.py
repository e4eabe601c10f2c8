"""Reads what the probe wrote down: one event a line, one file a worker.

A worker may be killed in the middle of a line, an older probe may lack a field, and a program may
write into the folder: whatever can't be read as an event is counted and left out, never guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeVar

from . import beginnings, endings  # noqa: F401  their kinds are in KINDS by then
from .events import KINDS, Event
from .readers import READERS, Unreadable

NAME = re.compile(r"rank(\d{1,6})\.jsonl")
LONGEST = 64 << 20  # characters of one line; longer ones are no records of ours
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
    events, unreadable = [], 0
    for line in lines:
        if not line.strip():
            continue
        try:
            found = event(line)
        except Unreadable:
            unreadable += 1
            continue
        if found is not None:
            events.append(found)
    return Worker(rank, tuple(events), unreadable)


def read(folder: Path) -> dict[int, Worker]:
    """Every worker that left records in a folder, by rank. Raises OSError."""
    found = {}
    for path in folder.iterdir():
        match = NAME.fullmatch(path.name)
        if match and path.is_file():
            found[int(match[1])] = _worker(folder, int(match[1]), path)
    return dict(sorted(found.items()))


def _worker(folder: Path, rank: int, path: Path) -> Worker:
    with path.open(encoding="utf-8", errors="replace", newline="\n") as file:
        read = worker(rank, iter(partial(file.readline, LONGEST), ""))
    progress = _text(folder / f"rank{rank}.progress").strip()
    steps = int(progress) if re.fullmatch(r"\d{1,18}", progress) else None
    stack = _text(folder / f"rank{rank}.stack")
    return Worker(rank, read.events, read.unreadable, steps, stack)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
