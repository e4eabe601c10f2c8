"""Who computes and who only waits."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import cast

import psutil
import pytest

from distify.assistant.verify.run import busy as busy_module
from distify.assistant.verify.run.busy import Meter, Processes, Sample, busy
from distify.assistant.verify.run.launch import Running
from distify.assistant.verify.run.watch import Rules, Silent, Watch

BUSY = "while True: pass"
POLLS = "import time\nwhile True: time.sleep(0.001)"
ASLEEP = "import time\ntime.sleep(600)"
IN_A_THREAD = "import threading\nthreading.Thread(target=exec, args=('while True: pass',)).start()"
SPINS = """
import threading, time

def spin():
    while True: pass

thread = threading.Thread(target=spin)
thread.start()
print(thread.native_id)
time.sleep(600)
"""


@pytest.mark.parametrize(
    ("after", "seconds"),
    [
        ((1.0, 0.0, 100), 1.0),  # it computes
        ((0.1, 0.9, 20), 1.0),  # it would like to, and is kept waiting
        ((0.1, 0.0, 1000), 0.1),  # it polls
        ((0.05, 0.9, 500), 0.05),  # it polls, and is kept waiting
        ((0.0, 0.0, 0), 0.0),  # it sleeps
    ],
)
def test_a_thread_that_polls_waits(after: Sample, seconds: float) -> None:
    assert busy((0.0, 0.0, 0), after) == pytest.approx(seconds)
    earlier = (7.0, 8.0, 900)
    later = tuple(old + new for old, new in zip(earlier, after))
    assert busy(earlier, later) == pytest.approx(seconds)  # type: ignore[arg-type]


@pytest.fixture
def crowd() -> Iterator[None]:
    """More that compute than there are cores."""
    others = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(6)]
    yield
    for other in others:
        other.kill()
        other.wait()


def ready(program: str) -> subprocess.Popen[bytes]:
    """The program, which has begun."""
    command = [sys.executable, "-uc", f"print('ready')\n{program}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout
    process.stdout.readline()
    return process


def measured(*programs: str) -> list[bool]:
    """Whether each was idle beside the others.

    It is what most looks say: where a virtual machine stands still, one is wrong (`watch.BLIPS`).
    """
    with ExitStack() as stack:
        processes = [stack.enter_context(ready(program)) for program in programs]
        workers: Processes = {process.pid: () for process in processes}
        meter = Meter()
        time.sleep(0.5)
        meter.idle(workers)
        looks = []
        for _ in range(3):
            time.sleep(0.5)
            looks.append(meter.idle(workers))
        for process in processes:
            process.kill()
    return [sum(pid in idle for idle in looks) > 1 for pid in workers]


@pytest.mark.parametrize(
    ("program", "idle"), [(BUSY, False), (IN_A_THREAD, False), (POLLS, True), (ASLEEP, True)]
)
def test_on_a_machine_that_is_free(program: str, idle: bool) -> None:
    assert measured(program) == [idle]


@pytest.mark.slow
def test_where_threads_are_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """macOS has no /proc; psutil tells what a process used, all its threads together."""
    monkeypatch.setattr(busy_module, "_PROC", Path("/nowhere"))
    assert measured(ASLEEP) == [True]
    meter, used, looks = Meter(), 0.0, 0
    with subprocess.Popen([sys.executable, "-c", IN_A_THREAD]) as process:
        while used < 0.3 and looks < 600:  # however long it waits for a core
            used += meter._by_process({process.pid: ()})[process.pid]
            looks += 1
            time.sleep(0.1)
        spent = psutil.Process(process.pid).cpu_times()
        process.kill()
    assert 0.3 <= used <= spent.user + spent.system + 1e-6  # each second once


def test_a_kernel_without_statistics_of_threads() -> None:
    assert busy_module._sample(Path("/nowhere"), 1.5) == (1.5, 0.0, 0)


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere only time counts")
@pytest.mark.usefixtures("crowd")
def test_on_a_machine_with_too_much_to_do() -> None:
    assert measured(BUSY, POLLS, ASLEEP) == [False, True, True]


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere threads are not seen")
def test_threads_that_are_known_to_poll_do_not_count() -> None:
    """Horovod's, however much they use on a machine that is crowded."""
    with subprocess.Popen([sys.executable, "-uc", SPINS], stdout=subprocess.PIPE) as process:
        assert process.stdout
        spins = int(process.stdout.readline())
        all_count, without = Meter(), Meter()
        for _ in range(2):
            found = all_count.idle({process.pid: ()}), without.idle({process.pid: {spins}})
            time.sleep(1)
        process.kill()
    assert found == (frozenset(), frozenset({process.pid}))


def test_what_has_ended_is_not_idle() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    assert Meter().idle({process.pid: ()}) == frozenset()


@pytest.mark.parametrize(("every", "quiet"), [(100, True), (6, True), (3, False), (1, False)])
def test_a_poll_that_is_taken_for_work_now_and_then_hides_no_hang(every: int, quiet: bool) -> None:
    watch = Watch(cast(Running, None), Rules(60.0, 2), Silent())
    watch.pids = {0: os.getpid(), 1: os.getpid()}
    for second in range(60):
        busy = frozenset(rank for rank in (0, 1) if (second + rank) % every == 0)
        watch._looks.append((float(second), busy))
    assert watch._is_quiet() is quiet


def test_a_worker_that_was_never_seen_is_not_known_to_wait() -> None:
    watch = Watch(cast(Running, None), Rules(60.0, 2), Silent())
    watch.pids = {0: os.getpid()}
    watch._looks.append((0.0, frozenset()))
    assert not watch._is_quiet()
