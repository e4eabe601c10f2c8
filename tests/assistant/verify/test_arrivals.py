"""When workers came to their collectives, of Horovod's timeline; and the trace that shows it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from distify.assistant.report.trace import trace
from distify.assistant.report.verdict_json import document
from distify.assistant.report.verify_report import Told
from distify.assistant.verify.judges import verdicts
from distify.assistant.verify.record import arrivals
from distify.assistant.verify.record.evidence import Evidence
from distify.assistant.verify.run.job import Job

from .build import evidence, of

BEGUN = 1_700_000_000
HEAD = (
    '[\n{"name": "process_name", "ph": "M", "pid": 0, "args": '
    f'{{"start_time_since_epoch_in_micros":{BEGUN}000000}}}},\n'
)


def named(number: int, name: str) -> str:
    event = {"name": "process_name", "ph": "M", "pid": number, "args": {"name": name}}
    return f"{json.dumps(event)},\n"


def negotiated(number: int, *ready: tuple[int, int], end: bool = True) -> str:
    """As Horovod 0.28.1 writes it: several events of a line, in microseconds."""
    first, last = ready[0][1], ready[-1][1]
    events: list[dict[str, Any]] = [{"ph": "B", "name": "NEGOTIATE_ALLREDUCE", "ts": first}]
    events += [{"ph": "X", "name": str(rank), "ts": at, "dur": 0} for rank, at in ready]
    events += [{"ph": "E", "ts": last}, {"ph": "B", "name": "ALLREDUCE", "ts": last}] * end
    events += [{"ph": "E", "ts": last + 9, "args": {"shape": "[2]"}}] * end
    return ",".join(json.dumps({**each, "pid": number}) for each in events) + ","


TIMELINE = (
    HEAD + named(1, "a") + negotiated(1, (0, 0), (1, 5_000_000))
    + negotiated(1, (0, 6_000_000), (1, 6_500_000)) + named(2, "b")
    + negotiated(2, (1, 6_000_000), (0, 6_400_000)) + negotiated(2, (0, 6_600_000), (1, 7_000_000))
    + negotiated(1, (1, 7_900_000), (0, 8_000_000)) + negotiated(1, (0, 9_000_000), end=False)
)  # fmt: skip


def seen(folder: Path, text: str = TIMELINE, **job: Any) -> Evidence:
    (folder / arrivals.FILE).write_text(text)
    asked = Job(folder / "train.py", timeline=folder / "trace.json", **job)
    return evidence(folder=folder, job=asked)


def test_each_collective_that_all_came_to(tmp_path: Path) -> None:
    seen(tmp_path)
    found = arrivals.read(tmp_path)
    assert [(each.name, each.straggler, each.first) for each in found] == [
        ("a", 1, True),
        ("a", 1, False),
        ("b", 0, True),
        ("b", 1, False),
        ("a", 0, False),
    ]
    assert found[1].last == pytest.approx(BEGUN + 6.5)


def test_waits_at_the_same_time_count_once_and_first_ones_not_at_all() -> None:
    def both(zero: float, one: float) -> arrivals.Arrivals:
        return arrivals.Arrivals("allreduce", "a", {0: zero, 1: one}, False)

    first = replace(both(0.0, 9.0), first=True)
    found = arrivals.waits([first, both(10.0, 11.0), both(10.5, 11.0), both(12.5, 12.0)])
    assert found[0] == arrivals.Waits(1.0, 0.5, 1)
    assert found[1] == arrivals.Waits(0.5, 1.0, 2)


def test_the_judge_tells_who_waits_for_whom(tmp_path: Path) -> None:
    (told,) = of("waiting", seen(tmp_path))
    assert told.grade == "note"
    assert "of 2.0 s and 3 collectives: waiting, worker 0 45 % and worker 1 5.0 %" in told.text
    assert "worker 0 in 1 and worker 1 in 2; worker 1 alone kept all others" in told.text


def test_ranks_that_are_stood_in_for_have_their_names(tmp_path: Path) -> None:
    (told,) = of("waiting", seen(tmp_path, ranks=(0, 63), told=64))
    assert "worker 63 in 2" in told.text


@pytest.mark.parametrize("text", ["", "[", "[{", "[1, {}]", HEAD, '[{"ph": "E", "pid": [1]}]' * 9])
def test_what_is_no_timeline_is_left_open(tmp_path: Path, text: str) -> None:
    (told,) = of("waiting", seen(tmp_path, text))
    assert told.grade == "unchecked"


def test_who_did_not_ask_is_told_nothing(tmp_path: Path) -> None:
    run = seen(tmp_path)
    assert not of("waiting", replace(run, job=replace(run.job, timeline=None)))
    assert verdicts(run)


def test_the_trace_shows_workers_moments_and_arrivals(tmp_path: Path) -> None:
    events = json.loads(trace(seen(tmp_path)))["traceEvents"]
    names = {each["args"]["name"] for each in events if each["name"] == "process_name"}
    assert names == {"worker 0", "worker 1"}
    late = [each for each in events if each.get("cat") == "arrival"]
    assert {(each["pid"], each["dur"], each["args"]["last"]) for each in late} >= {
        (0, 500_000, 1),
        (1, 0, 1),
        (1, 100_000, 0),
    }
    assert all(each["ph"] in "MiX" and each["pid"] in (0, 1) for each in events)
    assert any(each["name"] == "step 2" for each in events)


def test_the_report_draws_what_horovod_measured_in_the_place_of_the_probes_waits(
    tmp_path: Path,
) -> None:
    run = seen(tmp_path)
    found = json.loads(document(Told(run, verdicts(run))))
    waits = [[m for m in each["timeline"] if m["kind"] == "wait"] for each in found["workers"]]
    assert [len(each) for each in waits] == [3, 2]
    assert {each["what"] for each in waits[0]} == {
        "allreduce a, for worker 1",
        "allreduce b, for worker 1",
    }
