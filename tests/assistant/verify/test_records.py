"""Records are read as they are, and what is no record is counted, never guessed."""

from __future__ import annotations

import json
import math
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from distify.assistant.verify.record import beginnings, endings, events, records
from distify.assistant.verify.record.readers import READERS, Unreadable

START = {"event": "start", "t": 1.5, "rank": 1, "size": 2, "host": "here"}
STATE = {"event": "state", "t": 2, "steps": [3, 0], "at": "step", "hashes": {"0/w:0#0": "ab"}}


def lines(*found: Any) -> list[str]:
    return [each if isinstance(each, str) else json.dumps(each) for each in found]


def test_an_event_keeps_what_it_says() -> None:
    worker = records.worker(1, lines(START, STATE))
    assert worker.last(beginnings.Start) == beginnings.Start(1.5, 1, 2, host="here")
    assert worker.all(events.State) == (events.State(2.0, (3, 0), hashes={"0/w:0#0": "ab"}),)
    assert worker.unreadable == 0


def test_the_order_is_the_order_of_the_file() -> None:
    worker = records.worker(0, lines(STATE, START, STATE))
    assert [type(event).__name__ for event in worker.events] == ["State", "Start", "State"]
    assert worker.last(endings.End) is None
    assert worker.all(endings.End) == ()


@pytest.mark.parametrize(
    "line",
    [
        '{"event": "state", "t": 1.0, "st',  # the worker was killed in the middle of it
        "",
        "started 0",
        "[]",
        "3",
        "null",
        '{"t": 1.0}',
        '{"event": 7, "t": 1.0}',
        '{"event": "state", "t": 1.0}',  # a state of no step
        '{"event": "state", "t": "soon", "steps": [1]}',
        '{"event": "state", "t": 1.0, "steps": "one"}',
        '{"event": "state", "t": 1.0, "steps": [true]}',
        '{"event": "state", "t": 1.0, "steps": [1], "hashes": ["ab"]}',
        '{"event": "state", "t": 1.0, "steps": [1], "hashes": {"w": 5}}',
        '{"event": "optimizer", "t": 1.0, "id": 0, "plain_sgd": "yes"}',
        '{"event": "examples", "t": 1.0, "rows": [1]}',
        "[" * 100_000,
        '{"event": "write", "t": 1.0, "path": "\\u0000',
    ],
)
def test_what_is_no_record_is_counted(line: str) -> None:
    worker = records.worker(0, [*lines(START), line, *lines(STATE)])
    assert len(worker.events) == 2
    assert worker.unreadable == bool(line)


def test_an_event_that_only_a_newer_probe_knows_is_passed_over() -> None:
    worker = records.worker(0, lines({"event": "weather", "t": 1.0}, START))
    assert (len(worker.events), worker.unreadable) == (1, 0)


def test_a_loss_may_be_no_number_and_no_finite_one() -> None:
    given = '{"event": "loss", "t": 1, "steps": 1, "value": %s}'
    worker = records.worker(0, [given % value for value in ("NaN", "Infinity", "1" + "0" * 400)])
    first, *others = [loss.value for loss in worker.all(events.Loss)]
    assert math.isnan(first)
    assert others == [math.inf, math.inf]


def test_what_is_null_is_unknown() -> None:
    given = {"event": "collective", "t": 1, "kind": "allreduce", "name": None, "shape": None}
    (found,) = records.worker(0, lines(given)).all(events.Collective)
    assert (found.name, found.shape, found.where) == (None, None, None)


def test_a_class_is_a_class() -> None:
    given = {"event": "optimizer", "t": 1, "id": 0, "class": "Adam", "rate": 1}
    (found,) = records.worker(0, lines(given)).all(events.Optimizer)
    assert (found.cls, found.rate) == ("Adam", 1.0)


def test_a_folder_holds_the_workers_that_wrote(tmp_path: Path) -> None:
    (tmp_path / "rank0.jsonl").write_bytes(json.dumps(START).encode() + b'\n\xff\xfe{"ev')
    (tmp_path / "rank2.jsonl").write_bytes(b"")
    (tmp_path / "rank2.progress").write_text("17\n")
    (tmp_path / "rank2.stack").write_text("Thread 0x1")
    (tmp_path / "rank0.progress").write_text("soon")
    for other in ("rank.jsonl", "rankx.jsonl", "alive", "rank3.jsonl.tmp"):
        (tmp_path / other).write_text("{}")
    (tmp_path / "rank4.jsonl").mkdir()
    found = records.read(tmp_path)
    assert list(found) == [0, 2]
    assert (len(found[0].events), found[0].unreadable, found[0].progress) == (1, 1, None)
    assert (found[2].events, found[2].progress, found[2].stack) == ((), 17, "Thread 0x1")


def test_a_folder_that_is_not_there_holds_no_records(tmp_path: Path) -> None:
    """A program may have removed it."""
    assert records.read(tmp_path / "missing") == {}


def test_every_field_of_every_event_can_be_read() -> None:
    needed = {str(f.type) for kind in events.KINDS.values() for f in fields(kind)}
    assert needed <= set(READERS)
    with pytest.raises(Unreadable):
        records.event("{}")
