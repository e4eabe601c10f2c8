"""The peak of memory in a step, and beside it that of the program on one process."""

from __future__ import annotations

from dataclasses import replace

from distify.assistant.verify.record.events import Event, Memory
from distify.assistant.verify.record.evidence import Evidence

from .build import added, alone, evidence, of

MB = 1 << 20


def events(*sizes: float, seconds: float = 1.0, device: str = "CPU:0") -> list[Event]:
    """One event a step, from the third on."""
    return [
        Memory(0.0, steps=3 + number, bytes=int(size * MB), seconds=seconds, device=device)
        for number, size in enumerate(sizes)
    ]


def beside(run: Evidence, *sizes: float, seconds: float = 1.0, device: str = "CPU:0") -> Evidence:
    """The run with a baseline that needed so much."""
    found = alone("baseline")
    assert found.worker is not None
    more = (*found.worker.events, *events(*sizes, seconds=seconds, device=device))
    return replace(run, baseline=replace(found, worker=replace(found.worker, events=more)))


def texts(run: Evidence) -> list[str]:
    return [verdict.text for verdict in of("memory", run)]


def test_the_median_of_the_worker_that_needs_most() -> None:
    run = evidence(added(0, *events(30, 32, 90)), added(1, *events(31, 31, 31)))
    assert texts(run) == ["32.0 MB at the peak of a step (CPU:0)"]
    assert {verdict.grade for verdict in of("memory", run)} == {"note"}


def test_beside_the_baseline() -> None:
    run = evidence(added(0, *events(31.5, seconds=1.2)), added(1, *events(31.5, seconds=1.2)))
    assert texts(beside(run, 315)) == [
        "31.5 MB at the peak of a step (CPU:0), 315.0 MB in the program on one process: "
        "0.10 times as much, 1.2 times as long with 2 at a time"
    ]


def test_no_ratio_to_another_device_or_to_nothing() -> None:
    run = evidence(added(0, *events(31.5)), added(1, *events(31.5)))
    assert "times" not in texts(beside(run, 315, device="GPU:0"))[0]
    assert "times" not in texts(beside(run, 0))[0]
    assert "long" not in texts(beside(run, 315, seconds=0.0))[0]


def test_nothing_is_said_where_nothing_was_counted() -> None:
    assert texts(evidence(added(0), added(1))) == []
    assert texts(evidence(added(0, *events(0, 0)), added(1))) == []
