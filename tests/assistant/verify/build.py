"""Runs as the probe would have seen them, by hand: a sound one, and what is changed of it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from distify.assistant.verify.judges import verdicts
from distify.assistant.verify.record.beginnings import Init, Start, Versions
from distify.assistant.verify.record.endings import End, Error
from distify.assistant.verify.record.events import (
    Applied,
    Broadcast,
    Callbacks,
    Collective,
    Event,
    Examples,
    Optimizer,
    Reduce,
    State,
)
from distify.assistant.verify.record.evidence import Alone, Evidence, Hang, Waiting
from distify.assistant.verify.record.records import Worker
from distify.assistant.verify.record.verdict import CONVICTED, Verdict
from distify.assistant.verify.run.job import Job
from distify.assistant.verify.run.program_python import Setting

STEPS = 4
NAMES = ("dense/kernel:0", "dense/bias:0")
LOOP = "train.py:12"


def hashes(
    step: int, differ: str = "", names: Iterable[str] = NAMES, id: int = 0
) -> dict[str, str]:
    """Values after a step, equal on all workers unless they are told to differ."""
    return {f"{id}/{name}#{n}": f"{step}{differ}" for n, name in enumerate(names)}


def states(made: int = STEPS, differ: str = "", since: int = 1, **more: Any) -> list[Event]:
    """One state after each step; from step `since` on they differ by `differ`."""
    numbers = range(1, made + 1)
    found: list[Event] = [
        State(float(n), (n,), hashes=hashes(n, differ * (n >= since)), **more) for n in numbers
    ]
    return found


def rows(rank: int, step: int, size: int = 4) -> tuple[str, ...]:
    """Examples that no other worker and no other step has."""
    return tuple(f"{rank:04}{step:04}{n:08}" for n in range(size))


def seen(rank: int, made: int = STEPS, via: str = "dataset", size: int = 4) -> list[Event]:
    return [Examples(float(n), via, n, rows(rank, n, size)) for n in range(1, made + 1)]


def again(rank: int, made: int = STEPS, via: str = "dataset", size: int = 4) -> Examples:
    """The first batch of the second epoch: each of its examples comes back."""
    return Examples(float(made + 1), via, made + 1, rows(rank, 1, size))


def sound(rank: int, size: int = 2, made: int = STEPS) -> list[Event]:
    """A loop with a tape that does everything right, on a share of its own."""
    return [
        Start(0.0, rank, size, host="here"),
        Versions(0.1, "2.15.1", "keras 2.15.0", "0.28.1"),
        Init(0.2, "train.py:4"),
        Optimizer(0.3, 0, "SGD", True, NAMES, 0.1 * size, api="keras", where="train.py:6"),
        Collective(0.4, "allreduce", 1, "grad_0", (2, 1), "float32", where="train.py:11"),
        Reduce(0.4, "tape", "variables", 2, False, "train.py:11"),
        Applied(0.5, 0, False, LOOP, "program"),
        Broadcast(0.6, 2, 0, NAMES, False, "train.py:14"),
        *seen(rank, made),
        *states(made),
        End(9.0, made),
    ]


def without(events: Iterable[Event], *kinds: type[Event]) -> list[Event]:
    return [event for event in events if not isinstance(event, kinds)]


def changed(
    rank: int, *new: Event, drop: tuple[type[Event], ...] = (), made: int = STEPS
) -> Worker:
    """A sound worker, but for some kinds of events and what is put in their place."""
    kinds = drop or tuple({type(event) for event in new})
    return Worker(rank, (*without(sound(rank, made=made), *kinds), *new))


def added(rank: int, *new: Event) -> Worker:
    return Worker(rank, (*sound(rank), *new))


def alone(role: str = "reference", rate: float = 0.1, **more: Any) -> Alone:
    """The program on one worker."""
    first = Optimizer(0.3, 0, "SGD", True, NAMES, rate, api="keras", where="train.py:6")
    return Alone(role, Worker(0, (Start(0.0), first)), 0, **more)


def evidence(*given: Worker, folder: Path = Path("/nowhere"), **more: Any) -> Evidence:
    """A run of two workers, sound but for those that are given."""
    found = {0: Worker(0, tuple(sound(0))), 1: Worker(1, tuple(sound(1)))}
    found.update({worker.rank: worker for worker in given})
    job = more.pop("job", Job(folder / "train.py"))
    wanted: dict[str, Any] = {"ending": "done", "reference": alone(), **more}
    wanted.setdefault("exit_codes", dict.fromkeys(found, 0))
    return Evidence(
        job, Setting("python", ("horovodrun",), "3.11", "2.15.1", "0.28.1"), folder, found, **wanted
    )


def hung(*waiting: Waiting, seconds: float = 60.0) -> dict[str, Any]:
    return {"ending": "hang", "hang": Hang(seconds, waiting)}


def failing(rank: int, error: Error, made: int = 0) -> Worker:
    """A worker that ends by an exception."""
    events = without(sound(rank, made=made), End)
    return Worker(rank, (*events, error, End(error.t, made)))


def program(folder: Path, text: str) -> Path:
    (folder / "train.py").write_text(text)
    return folder


def said(evidence: Evidence) -> dict[str, str]:
    """Title by code of all convictions."""
    return {v.code: v.title for v in verdicts(evidence) if v.grade == CONVICTED}


def of(question: str, evidence: Evidence) -> list[Verdict]:
    """What one judge says."""
    return [verdict for verdict in verdicts(evidence) if verdict.question == question]


def grades(question: str, evidence: Evidence) -> set[str]:
    return {verdict.grade for verdict in of(question, evidence)}


FIT = Callbacks(0.3, ("BroadcastGlobalVariablesCallback",), "fit", "train.py:20")
