"""Jobs that hang, fail and are killed, for real: explained, and nothing of them is left."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from distify.assistant.verify.record.evidence import Evidence
from distify.assistant.verify.run import program_python
from distify.assistant.verify.run.interrupt import Interrupt
from distify.assistant.verify.run.job import Job
from distify.assistant.verify.run.processes import alive
from distify.assistant.verify.run.whole_job import run

PATIENCE = float(os.environ.get("DISTIFY_PATIENCE", "1"))
START = """\
import os, time
import horovod.tensorflow as hvd
import tensorflow as tf
open(f"{os.environ['PIDS']}/{os.getpid()}", "w").close()
hvd.init()
w = tf.Variable([1.0, 2.0])
hvd.allreduce(w, name="first")
"""
FIRST = START.count("\n") + 1
EAGER = (
    START
    + """\
if hvd.rank() == 0:
    hvd.broadcast(w, 0, name="mine")
else:
    hvd.allgather(w, name="theirs")
"""
)
GRAPH = (
    START
    + """\
@tf.function
def step():
    return hvd.allreduce(w)

step()
step()
if hvd.rank() == 0:
    step()
else:
    hvd.allgather(w, name="theirs")
"""
)
STEPS = (
    START
    + """\
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1 * hvd.size()))
while True:
    optimizer.apply_gradients([(tf.constant([0.1, 0.1]), w)])
    time.sleep(0.05)
"""
)


@pytest.fixture
def pids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], set[int]]:
    folder = tmp_path / "pids"
    folder.mkdir()
    monkeypatch.setenv("PIDS", str(folder))
    monkeypatch.chdir(tmp_path)
    return lambda: {int(path.name) for path in folder.iterdir()}


def verified(text: str, **options: object) -> Evidence:
    Path("train.py").write_text(text)
    job = Job(Path("train.py"), python=sys.executable, reference=False, **options)  # type: ignore[arg-type]
    return run(job, program_python.find(job), Path("records").absolute())


@pytest.mark.parametrize(
    ("text", "held"),
    [
        (EAGER, ("broadcast", "mine", f"train.py:{FIRST + 1}", "record")),
        (GRAPH, ("allreduce", None, f"train.py:{FIRST + 7}", "closed")),
    ],
    ids=["eager", "graph"],
)
def test_a_hang_is_explained(
    text: str, held: tuple[str, str | None, str, str], pids: Callable[[], set[int]]
) -> None:
    found = verified(text, timeout=10.0)
    assert found.ending == "hang", found.tails
    assert found.hang is not None
    one, two = found.hang.workers
    assert (one.kind, one.name, one.where, one.by) == held
    last = f"train.py:{text.count(chr(10))}"
    assert (two.kind, two.name, two.where, two.by) == ("allgather", "theirs", last, "record")
    assert one.idle
    assert two.idle
    assert not any(map(alive, pids()))


def test_a_worker_that_fails_is_found(pids: Callable[[], set[int]]) -> None:
    found = verified(START + "if hvd.rank() == 1: raise SystemExit(7)\nhvd.allreduce(w)\n")
    assert found.ending == "failed"
    assert 7 in found.exit_codes.values() or found.first == 0  # Horovod may end rank 0 first
    assert not any(map(alive, pids()))


DRIVER = """
import sys
from pathlib import Path
from distify.assistant.verify.run import program_python
from distify.assistant.verify.run.job import Job
from distify.assistant.verify.run.whole_job import run

job = Job(Path("train.py"), python=sys.executable, reference=False)
run(job, program_python.find(job), Path("records").absolute())
"""


def test_nothing_survives_when_distify_is_killed(pids: Callable[[], set[int]]) -> None:
    Path("train.py").write_text(STEPS)
    process = subprocess.Popen([sys.executable, "-c", DRIVER])
    progress = Path("records/job/rank0.progress")
    assert wait_for(lambda: progress.exists() and int(progress.read_text() or 0) > 3)
    process.kill()
    process.wait()
    assert len(pids()) == 2
    assert wait_for(lambda: not any(map(alive, pids())), 60)


def test_an_interrupt_leaves_what_was_seen(pids: Callable[[], set[int]]) -> None:
    Path("train.py").write_text(STEPS)
    job = Job(Path("train.py"), python=sys.executable, reference=False)
    asked = Interrupt()

    class After:
        """Presses Ctrl-C once both workers have made three steps."""

        def phase(self, name: str, workers: int) -> None: ...

        def steps(self, steps: dict[int, int]) -> None:
            asked.count = int(len(steps) == 2 and min(steps.values()) > 3)

    found = run(job, program_python.find(job), Path("records").absolute(), asked, After())
    assert found.ending == "interrupted"
    assert sorted(found.workers) == [0, 1]
    assert all(worker.progress and worker.progress > 3 for worker in found.workers.values())
    assert not any(map(alive, pids()))


def wait_for(there: Callable[[], bool], seconds: float = 120) -> bool:
    until = time.monotonic() + seconds * PATIENCE
    while time.monotonic() < until and not there():
        time.sleep(0.1)
    return there()
