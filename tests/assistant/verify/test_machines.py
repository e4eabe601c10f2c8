"""One machine that looks like several."""

from __future__ import annotations

import importlib
import sys
from dataclasses import replace

import pytest

from distify.assistant.verify.record.beginnings import Start
from distify.assistant.verify.record.events import Written
from distify.assistant.verify.record.evidence import Evidence, Waiting
from distify.assistant.verify.run.job import Job
from distify.assistant.verify.run.launch import PROBE

from .build import changed, evidence, hung, of, said
from .conftest import World


@pytest.mark.parametrize(
    ("size", "machines", "places"),
    [
        (4, 2, [(0, 0, 2), (0, 1, 2), (1, 0, 2), (1, 1, 2)]),
        (2, 2, [(0, 0, 1), (1, 0, 1)]),
        (3, 2, [(0, 0, 2), (0, 1, 2), (1, 0, 1)]),
        (3, 1, [(0, 0, 3), (0, 1, 3), (0, 2, 3)]),
    ],
)
def test_the_place_of_a_worker(
    size: int, machines: int, places: list[tuple[int, int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(PROBE))
    try:
        place = importlib.import_module("distify_probe.machines").place
        assert [place(rank, size, machines) for rank in range(size)] == places
    finally:
        for name in [name for name in sys.modules if name.startswith("distify_probe")]:
            del sys.modules[name]


def test_each_machine_has_a_folder_of_its_own(world: World) -> None:
    (world.folder / "data.txt").write_text("here")
    found = world.run(
        "open(f'made{RANK}', 'w').close()\n"
        "names = ('LOCAL_RANK', 'LOCAL_SIZE', 'CROSS_RANK', 'CROSS_SIZE')\n"
        "print([os.environ.get(f'HOROVOD_{name}') for name in names], open('data.txt').read())\n",
        machines=2,
    )
    assert found.tails == {
        0: "['0', '1', '0', '2'] here",
        1: "['0', '1', '1', '2'] here",
    }
    assert (world.folder / "made0").exists()
    assert not (world.folder / "made1").exists()
    starts = [worker.last(Start) for worker in found.workers.values()]
    assert [start.machine for start in starts if start is not None] == [0, 1]


def on_two(*waiting: Waiting, machines: int = 2) -> Evidence:
    """A hang of two workers, the second on another machine."""
    both = [changed(rank, Start(0.0, rank, 2, host="here", machine=rank)) for rank in (0, 1)]
    job = replace(Job(evidence().job.script), machines=machines)
    return evidence(*both, job=job, **hung(*waiting))


WAITS = Waiting(0, "train.py:11", "allreduce", "w", "record")
STILL = Waiting(1, "train.py:9")


def test_a_wait_for_a_file_of_another_machine() -> None:
    (found,) = [v for v in of("hang", on_two(WAITS, STILL)) if v.grade == "convicted"]
    assert (found.code, found.where, found.ranks) == ("D205", "train.py:9", (1,))


@pytest.mark.parametrize(
    "waiting",
    [
        (WAITS, replace(STILL, idle=False)),  # it computes
        (replace(STILL, rank=0), STILL),  # nobody waits for it
        (replace(STILL, rank=0), replace(WAITS, rank=1)),  # the first machine has the file
    ],
)
def test_what_is_no_wait_for_another_machine(waiting: tuple[Waiting, ...]) -> None:
    assert "D205" not in said(on_two(*waiting))


def test_on_one_machine_it_is_none_either() -> None:
    assert "D205" not in said(on_two(WAITS, STILL, machines=1))


def test_one_path_on_two_machines_is_two_files() -> None:
    write = Written(5.0, "/m", "open", "train.py:30")
    both = [changed(rank, Start(0.0, rank, 2, host="here", machine=rank), write) for rank in (0, 1)]
    assert not said(evidence(*both))
