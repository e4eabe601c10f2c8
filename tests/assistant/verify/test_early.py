"""A hang that is certain is told before the timeout; whatever may go on is waited for."""

from __future__ import annotations

import os
import textwrap
import time
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from distify.assistant.verify.record.events import Collective, Function, Iteration
from distify.assistant.verify.record.evidence import Hang, Waiting
from distify.assistant.verify.record.records import Worker
from distify.assistant.verify.run import hanging, watch
from distify.assistant.verify.run.hanging import certain, waits
from distify.assistant.verify.run.launch import Running

from .conftest import World

RECORD = Waiting(0, "train.py:7", "allreduce", "w", "record")
GRAPH = Waiting(1, "train.py:9", "allreduce", None, "graph")
CLOSED = Waiting(1, "train.py:9", "allreduce", None, "closed")
ENDED = Waiting(1, ended=True)
BUSY = Waiting(1, "train.py:9")


@pytest.mark.parametrize(
    ("workers", "is_certain"),
    [
        ((RECORD, RECORD), True),
        ((RECORD, ENDED), True),
        ((RECORD, GRAPH), False),  # which may wait for its data
        ((RECORD, CLOSED), True),  # which takes none
        ((CLOSED, CLOSED), True),
        ((CLOSED, GRAPH), False),
        ((CLOSED, BUSY), False),
        ((RECORD, BUSY), False),
        ((ENDED, ENDED), False),
        ((GRAPH, ENDED), False),
    ],
)
def test_what_is_certain_before_the_timeout(workers: tuple[Waiting, ...], is_certain: bool) -> None:
    assert waits(Hang(15.0, workers)) is is_certain


STACK = (
    "Current thread 0x0 (most recent call first):\n"
    '  File "/env/tensorflow/python/eager/execute.py", line 53 in quick_execute\n'
)


@pytest.mark.parametrize(
    ("function", "memory", "by"),
    [
        (Function(0.1, closed=True), [], "closed"),
        (Function(0.1, data=True), [True, True], "closed"),
        (Function(0.1, data=True), [True, False], "graph"),  # a file that is slow
        (Function(0.1, data=True), [], "graph"),
        (Function(0.1), [True], "graph"),
    ],
)
def test_a_graph_that_takes_its_data_from_memory_waits_for_workers_alone(
    function: Function, memory: list[bool], by: str
) -> None:
    data = [Iteration(0.1, n, memory=each) for n, each in enumerate(memory)]
    traced = Collective(0.1, "allreduce", traced=True)
    worker = Worker(1, (function, traced, *data), stack=STACK)
    found = hanging._by_stack(worker, idle=True)
    assert found is not None
    assert found.by == by
    assert hanging._by_stack(worker, idle=False) is None


def test_a_job_whose_workers_have_all_ended_waits_for_nobody() -> None:
    """They may end while they are asked; the launcher takes a moment longer."""
    assert not certain(Hang(2.0, (ENDED, Waiting(0, ended=True))))
    assert certain(Hang(2.0, (GRAPH, ENDED)))


WAITS = (
    "import json\n"
    "path = os.path.join(os.environ['DISTIFY_PROBE'], f'rank{RANK}.jsonl')\n"
    "steps(1)\n"
    "call = dict(event='waiting', t=1.0, kind='allreduce', name=f'{RANK}', where='train.py:7')\n"
    "open(path, 'a').write(json.dumps(call) + '\\n')\n"
    "time.sleep(600)\n"
)


def test_workers_that_wait_for_each_other_are_ended_early(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "EARLY", 2.0)
    begun = time.monotonic()
    found = world.run(WAITS, timeout=60.0)
    assert found.ending == "hang"
    assert time.monotonic() - begun < 300


@pytest.mark.parametrize("sure", [True, False])
def test_what_computed_just_before_counts_as_still(sure: bool, tmp_path: Path) -> None:
    """One in a graph is known to wait by doing nothing, for as long as is waited for it."""
    asked: list[frozenset[int]] = []

    def waiting(look: watch.Look) -> bool:
        asked.append(look.idle)
        return sure

    running = SimpleNamespace(folder=tmp_path, output=SimpleNamespace(read=lambda: False))
    found = watch.Watch(cast(Running, running), watch.Rules(60.0, 2, waits=waiting), watch.Silent())
    found.pids = {0: os.getpid(), 1: os.getpid()}
    now = time.monotonic()
    found._moved = now - 20
    for second in range(60):  # until twenty seconds ago both computed
        busy = frozenset({0, 1} if second < 40 else ())
        found._looks.append((now - 60 + second, busy))
    assert found._waits() is sure
    assert asked == [frozenset({0, 1})]
    assert found._look_of("hang").idle == (frozenset({0, 1}) if sure else frozenset())


def test_workers_of_which_one_is_in_no_call_are_waited_for(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "EARLY", 1.0)
    text = f"if RANK:\n    time.sleep(6)\nelse:\n{textwrap.indent(WAITS, '    ')}"
    found = world.run(text.replace("time.sleep(600)", "time.sleep(4)"), timeout=60.0)
    assert found.ending == "done"
