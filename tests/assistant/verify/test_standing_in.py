"""A few workers that stand in for many: who they are, and what Horovod's Python is told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from distify.assistant.verify.judges import verdicts
from distify.assistant.verify.judges._named import under_their_ranks
from distify.assistant.verify.record.evidence import Hang, Waiting
from distify.assistant.verify.run.job import Job, standing_in

from .build import alone, changed, evidence, of, sound

PROBE = Path(__file__).resolve().parents[3] / "assistant/verify/probe"


@pytest.mark.parametrize(
    ("size", "ranks"),
    [
        (2, (0, 1)),
        (3, (0, 1, 2)),
        (4, (0, 1, 2, 3)),
        (5, (0, 1, 2, 4)),
        (7, (0, 1, 3, 6)),
        (64, (0, 1, 32, 63)),
    ],
)
def test_both_ends_and_the_middle(size: int, ranks: tuple[int, ...]) -> None:
    assert standing_in(size) == ranks


def test_the_rate_is_that_of_all_whom_they_stand_in_for() -> None:
    job = Job(Path("/nowhere/train.py"), ranks=(0, 63), told=64)
    both = [changed(rank, *sound(rank, size=64)) for rank in (0, 1)]
    (told,) = of("rates", evidence(*both, job=job, reference=alone(rate=0.1)))
    assert (told.grade, "64 times" in told.text) == ("fine", True)
    (told,) = of("rates", evidence(job=job, reference=alone(rate=0.1)))  # twice, as of two workers
    assert (told.grade, told.code) == ("convicted", "D104")


# Stands in for Horovod: a job of two, of which this is worker 1.
HOROVOD = """
import sys, types

class HorovodBasics:
    def size(self): return 2
    def rank(self): return 1
    def local_rank(self): return 1
    def _process_set_size(self, number): return 2 - number
    def _process_set_rank(self, number): return 1 - number
    def _get_process_set_ids_and_ranks(self): return {0: [0, 1]}
    def _add_process_set_impl(self, ranks): return 1
"""
PROGRAM = """
from distify_probe import imports
from horovod.common import basics
found = basics.HorovodBasics()
print(found.size(), found.rank(), found.local_rank())
print(found._process_set_size(0), found._process_set_rank(0), found._process_set_size(1))
print(found._get_process_set_ids_and_ranks()[0] == list(range(64)))
try:
    found._add_process_set_impl([0, 1])
except NotImplementedError as error:
    print(error)
"""


def said(folder: Path, **options: object) -> list[str]:
    common = folder / "horovod" / "common"
    common.mkdir(parents=True)
    for module in (common.parent / "__init__.py", common / "__init__.py"):
        module.touch()
    (common / "basics.py").write_text(HOROVOD)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(PROBE), str(folder)]),
        "HOROVOD_RANK": "1",
        "HOROVOD_SIZE": "2",
        "DISTIFY_PROBE_OPTIONS": json.dumps(options),
    }
    environment.pop("DISTIFY_PROBE", None)
    text = "from distify_probe import imports, standin; imports.start()" + PROGRAM
    done = subprocess.run(
        [sys.executable, "-c", text], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_size_and_rank_are_those_of_the_larger_job(tmp_path: Path) -> None:
    first, second, third, refused = said(tmp_path, size=64, ranks=[0, 63])
    assert first == "64 63 1"  # the local rank chooses a device of this machine
    assert second == "64 63 1"
    assert third == "True"
    assert "not with process sets" in refused


def test_without_being_asked_nothing_is_replaced(tmp_path: Path) -> None:
    first, second, third = said(tmp_path)
    assert (first, second, third) == ("2 1 1", "2 1 1", "False")


def test_workers_are_named_by_the_ranks_that_they_stand_in_for() -> None:
    """Worker 1 of two took itself for rank 63, and left early."""
    job = Job(Path("/nowhere/train.py"), ranks=(0, 63), told=64)
    both = [changed(0, *sound(0, made=5)), changed(1, *sound(1, made=4))]
    hang = Hang(60.0, (Waiting(0, kind="allreduce", where="train.py:12"), Waiting(1, ended=True)))
    run = evidence(*both, job=job, ending="hang", hang=hang, exit_codes={0: None, 1: 0})
    texts = [" ".join([verdict.text, *verdict.evidence]) for verdict in verdicts(run)]
    assert any("worker 63 had ended" in text for text in texts)
    assert not any("worker 1" in text for text in texts)
    assert {rank for verdict in verdicts(run) for rank in verdict.ranks} <= {0, 63}
    assert under_their_ranks(under_their_ranks(run)) == under_their_ranks(run)
