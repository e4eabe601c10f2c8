"""A hang that is certain is told before the timeout; whatever may go on is waited for."""

from __future__ import annotations

import textwrap
import time

import pytest

from distify.assistant.verify import watch
from distify.assistant.verify.evidence import Hang, Waiting
from distify.assistant.verify.hanging import certain, waits

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


def test_workers_of_which_one_is_in_no_call_are_waited_for(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "EARLY", 1.0)
    text = f"if RANK:\n    time.sleep(6)\nelse:\n{textwrap.indent(WAITS, '    ')}"
    found = world.run(text.replace("time.sleep(600)", "time.sleep(4)"), timeout=60.0)
    assert found.ending == "done"
