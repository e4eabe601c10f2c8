"""A job from start to end, as a launcher that only looks like Horovod's runs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from distify.assistant.verify.record.beginnings import Start
from distify.assistant.verify.record.endings import End
from distify.assistant.verify.run.hanging import dump

from .conftest import World

COMPUTES = "until = time.monotonic() + 4\nwhile time.monotonic() < until: pass\n"
slow = pytest.mark.slow
HANG_LINE = World.first_line + 2


def test_a_job_that_ends_well(world: World) -> None:
    found = world.run("print('rank', RANK, sys.argv[1:])\n", arguments=("--epochs", "1"))
    assert found.ending == "done"
    assert found.hang is None
    assert found.exit_codes == {0: 0, 1: 0}
    assert found.launcher == 0
    assert found.tails[0] == "rank 0 ['--epochs', '1']"
    assert found.tails[1] == "rank 1 ['--epochs', '1']"
    assert sorted(found.workers) == [0, 1]
    for rank, worker in found.workers.items():
        (start,) = worker.all(Start)
        assert (start.rank, start.size) == (rank, 2)
        assert worker.all(End)
    assert not world.left()


def test_more_workers(world: World) -> None:
    found = world.run("print(RANK)\n", workers=3)
    assert [found.tails[rank] for rank in range(3)] == ["0", "1", "2"]


def test_a_worker_that_fails_is_named_with_its_code(world: World) -> None:
    found = world.run("if RANK == 1:\n    sys.exit(3)\ntime.sleep(60)\n", timeout=30.0)
    assert found.ending == "failed"
    assert found.first == 1
    assert found.exit_codes[1] == 3
    assert found.launcher == 1
    assert not world.left()


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("steps(3)\ntime.sleep(0)\ntime.sleep(600)\n", set()),
        pytest.param("steps(3)\nif RANK == 0:\n    time.sleep(600)\n", {1}, marks=slow),
    ],
)
def test_a_job_that_hangs_is_ended_and_explained(world: World, text: str, ended: set[int]) -> None:
    found = world.run(text)
    assert found.ending == "hang"
    assert found.hang is not None
    assert found.hang.seconds >= 2.0
    waiting = found.hang.workers
    assert [each.rank for each in waiting] == [0, 1]
    assert {each.rank for each in waiting if each.ended} == ended
    for each in waiting:
        if not each.ended:
            assert each.steps == 3
            assert each.where == f"train.py:{HANG_LINE}"
            assert "most recent call first" in each.stack
    assert waiting[0].exit_code is None
    assert found.exit_codes[0] is None
    assert not world.left()


WRITES_SLOWLY = """
import os, signal, sys, time

def write(*_):
    with open(sys.argv[1], "a") as file:
        for part in range(5):
            file.write(f"Thread {part}\\n")
            file.flush()
            time.sleep(0.1)

signal.signal(signal.SIGUSR2, write)
print("ready", flush=True)
while True: time.sleep(600)
"""


def test_a_stack_is_read_when_all_of_it_is_there(tmp_path: Path) -> None:
    """The main thread's part is the last one."""
    stack = tmp_path / "rank0.stack"
    stack.write_text("of an earlier request")
    command = [sys.executable, "-c", WRITES_SLOWLY, str(stack)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as worker:
        assert worker.stdout
        worker.stdout.readline()
        dump(tmp_path, {0: worker.pid})
        worker.kill()
    assert stack.read_text().splitlines() == [f"Thread {part}" for part in range(5)]


@pytest.mark.slow
def test_a_collective_that_was_called_is_named(world: World) -> None:
    say = (
        "import json\n"
        "path = os.path.join(os.environ['DISTIFY_PROBE'], f'rank{RANK}.jsonl')\n"
        "call = ('broadcast', 'train.py:41') if RANK else ('allreduce', 'train.py:7')\n"
        "waiting = dict(event='waiting', t=1.0, kind=call[0], name='w', where=call[1])\n"
        "open(path, 'a').write(json.dumps(waiting) + '\\n')\n"
        "time.sleep(600)\n"
    )
    found = world.run(say)  # no step was made: that all wait is enough
    assert found.hang is not None
    held = [(w.kind, w.name, w.where, w.by) for w in found.hang.workers]
    assert held == [
        ("allreduce", "w", "train.py:7", "record"),
        ("broadcast", "w", "train.py:41", "record"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(COMPUTES, marks=slow),
        pytest.param(f"steps(1)\n{COMPUTES}", marks=slow),
        "time.sleep(3)\n",  # it has not begun: it may be waiting for its data
        pytest.param("for n in range(8):\n    steps(n)\n    time.sleep(0.5)\n", marks=slow),
    ],
)
def test_what_goes_on_is_no_hang(world: World, text: str) -> None:
    assert world.run(text, timeout=2.0).ending == "done"


SPINS = """
import threading

def spin():
    while True: pass

thread = threading.Thread(target=spin, daemon=True)
thread.start()
with open(os.path.join(os.environ["DISTIFY_PROBE"], f"rank{RANK}.threads"), "w") as file:
    file.write(str(thread.native_id))
steps(1)
time.sleep(600)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads are not seen")
def test_threads_of_horovod_that_spin_hide_no_hang(world: World) -> None:
    found = world.run(SPINS)
    assert found.hang is not None
    assert all(each.idle for each in found.hang.workers)  # what computes is waited for, not idle


@pytest.mark.slow
def test_a_stopped_worker_is_a_hang(world: World) -> None:
    found = world.run("steps(1)\nif RANK: os.kill(os.getpid(), signal.SIGSTOP)\ntime.sleep(600)\n")
    assert found.ending == "hang"
    assert not world.left()


def test_no_input_is_waited_for(world: World) -> None:
    found = world.run("print('read', repr(sys.stdin.read()))\n")
    assert found.tails[0] == "read ''"


def test_the_users_environment_is_kept(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(world.folder / "mine"))
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    (world.folder / "mine").mkdir()
    (world.folder / "mine" / "own.py").write_text("print('imported')\n")
    found = world.run("import own\nprint(os.environ['OMP_NUM_THREADS'], os.getcwd())\n")
    assert found.tails[0].splitlines() == ["imported", f"7 {world.folder}"]


def test_packages_of_the_project_are_found(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """They stand in `src`, behind what the user names."""
    monkeypatch.setenv("PYTHONPATH", str(world.folder / "mine"))
    for folder, word in (("mine", "the user's"), ("src", "the project's")):
        (world.folder / folder).mkdir()
        (world.folder / folder / f"{folder}_own.py").write_text(f"print({word!r})\n")
        (world.folder / folder / "both.py").write_text(f"print({word!r})\n")
    (world.folder / "pyproject.toml").write_text("")
    found = world.run("import mine_own, src_own, both\n")
    assert found.tails[0].splitlines() == ["the user's", "the project's", "the user's"]


def test_on_other_machines_the_probe_is_brought_along(world: World) -> None:
    text = "import distify_probe\nprint(distify_probe.__file__)\n"
    found = world.run(text, hosts="localhost:2")
    assert found.tails[0] == f"{found.folder}/probe/distify_probe/__init__.py"
    assert found.workers[1].all(End)


def test_a_launcher_that_fails_is_told(world: World) -> None:
    world.launcher.write_text("import sys\nsys.exit('no such host')\n")
    found = world.run("")
    assert found.ending == "failed"
    assert found.launcher == 1
    assert found.workers == {}
    assert "no such host" in found.tails[-1]


def test_mpi_is_taken_where_there_is_no_gloo(world: World) -> None:
    text = world.launcher.read_text()
    refuse = "import sys\nif '--gloo' in sys.argv: sys.exit('Gloo support has not been built.')\n"
    world.launcher.write_text(refuse + text)
    found = world.run("print('ran')\n")
    assert found.setting.controller == "mpi"
    assert found.ending == "done"
    assert found.tails[0] == "ran"


def test_the_reference_is_one_process_that_comes_first_and_disturbs_nothing(world: World) -> None:
    (world.folder / "log.csv").write_text("old\n")
    found = world.run(
        "alone = 'HOROVOD_RANK' not in os.environ\n"
        "print('alone' if alone else open('log.csv').read().strip())\n"
        "open('log.csv' if alone else 'other.csv', 'w').write('new')\n"
        "os.mkdir(f'made-{RANK}')\n",
        reference=True,
    )
    assert found.reference is not None
    assert found.reference.exit_code == 0
    assert found.reference.tail == "alone"
    assert found.reference.worker is not None
    assert found.tails[0] == "old"
    assert found.ending == "done"  # made-0 could be made


@pytest.mark.slow
def test_a_reference_that_hangs_is_ended(world: World) -> None:
    text = "if 'HOROVOD_RANK' not in os.environ:\n    steps(1)\n    time.sleep(600)\n"
    found = world.run(text, reference=True)
    assert found.reference is not None
    assert found.reference.hung
    assert found.reference.exit_code is None
    assert found.ending == "done"
    assert not world.left()


def test_nothing_of_the_job_runs_in_this_process(world: World) -> None:
    before = set(sys.modules)
    world.run("import json\n")
    assert "train" not in set(sys.modules) - before
