"""Nothing of a run survives: whatever its processes do, and however distify itself ends."""

from __future__ import annotations

import contextlib
import fcntl
import functools
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator

import psutil
import pytest

from distify.assistant.verify.run.interrupt import Interrupt
from distify.assistant.verify.run.launch import PROBE, Order, started
from distify.assistant.verify.run.processes import Family, alive, carriers
from repeated import several

from .conftest import World

STUBBORN = {
    "one that ignores the request to end": """
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        time.sleep(600)
    """,
    "one that is stopped": """
        os.kill(os.getpid(), signal.SIGSTOP)
        time.sleep(600)
    """,
    "one that is stopped and ignores requests": """
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.kill(os.getpid(), signal.SIGSTOP)
        time.sleep(600)
    """,
    "a grandchild in a session of its own": """
        child = subprocess.Popen(["sleep", "600"], start_new_session=True)
        here(child.pid)
        time.sleep(600)
    """,
    "an orphan in a session of its own": """
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                here()
                time.sleep(600)
            os._exit(0)
        time.sleep(600)
    """,
    "a child without the token": """
        child = subprocess.Popen(["sleep", "600"], env={"PATH": os.environ["PATH"]},
                                 start_new_session=True)
        here(child.pid)
        time.sleep(600)
    """,
    "an orphan child without the token in a session of its own": """
        if os.fork() == 0:
            child = subprocess.Popen(["sleep", "600"], env={}, executable="/bin/sleep",
                                     start_new_session=True)
            here(child.pid)
            os._exit(0)
        time.sleep(600)
    """,
    "one that leaves an orphan without the token and ends": """
        if os.fork() == 0:
            time.sleep(0.5)
            here(subprocess.Popen(["sleep", "600"], env={}, executable="/bin/sleep",
                                  start_new_session=True).pid)
            os._exit(0)
        here(os.getpid())
    """,
    "one that starts another when it is asked to end": """
        def again(number, frame):
            here(subprocess.Popen(["sleep", "600"], start_new_session=True).pid)
        signal.signal(signal.SIGTERM, again)
        while True:
            time.sleep(1)
    """,
    "one that comes back as long as it can": """
        while True:
            pid = os.fork()
            if pid == 0:
                here()
                time.sleep(0.05)
            else:
                os._exit(0)
    """,
}


def start(world: World, text: str, name: str = "run") -> Order:
    """A worker of its own, without a launcher."""
    program = world.program(text)
    return Order([sys.executable, str(program)], world.folder, world.folder / name, {}, {})


@pytest.mark.parametrize("text", STUBBORN.values(), ids=STUBBORN.keys())
def test_nothing_survives_the_end(world: World, text: str) -> None:
    if "env={}" in text and not sys.platform.startswith("linux"):
        pytest.skip("only Linux lets a process adopt those of its children")
    some = 2 if "child" in text or "fork" in text else 1
    with started(start(world, text), Interrupt()) as running:
        assert world.wait_for(lambda: len(world.seen()) >= some)
        running.family.look()
        assert world.wait_for(world.left)
    assert not world.left()


def test_nothing_survives_an_error_of_ours(world: World) -> None:
    def fail() -> None:
        with started(start(world, "time.sleep(600)\n"), Interrupt()):
            assert world.wait_for(world.left)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert not world.left()


def test_what_outlives_the_program_is_ended_as_well(world: World) -> None:
    text = "here(subprocess.Popen(['sleep', '600'], start_new_session=True).pid)\n"
    with started(start(world, text), Interrupt()) as running:
        assert running.process.wait(30) == 0
        assert len(world.left()) == 1
    assert not world.left()


def test_two_runs_know_their_own_processes(world: World) -> None:
    with started(start(world, "time.sleep(600)\n", "one"), Interrupt()) as one:
        assert world.wait_for(world.left)
        with started(start(world, "time.sleep(600)\n", "two"), Interrupt()):
            assert world.wait_for(lambda: len(world.left()) == 2)
        assert world.left() == {one.process.pid}


def test_impatience_cuts_the_grace_short(world: World) -> None:
    token = uuid.uuid4().hex
    program = world.program(STUBBORN["one that ignores the request to end"])
    environment = {**os.environ, "DISTIFY_PROBE_TOKEN": token}
    with subprocess.Popen([sys.executable, str(program)], env=environment) as process:
        assert world.wait_for(world.left)
        begun = time.monotonic()
        Family(token).end(world.pids.exists, grace=600)
        assert time.monotonic() - begun < 300
        assert process.wait() == -signal.SIGKILL


def test_a_command_that_is_not_there(world: World) -> None:
    order = Order([str(world.folder / "nothing")], world.folder, world.folder / "run", {}, {})
    with pytest.raises(FileNotFoundError), started(order, Interrupt()):
        pass  # never reached


DRIVER = """
import sys
from collections.abc import Iterator
from pathlib import Path
from distify.assistant.verify.run.job import Job
from distify.assistant.verify.run.whole_job import run
from distify.assistant.verify.run.program_python import Setting

script, launcher, folder = sys.argv[1:]
job = Job(Path(script), timeout=600, reference=False)
print(run(job, Setting(sys.executable, (sys.executable, launcher)), Path(folder)).ending)
"""


def driven(world: World, text: str) -> subprocess.Popen[str]:
    """distify in a process of its own, so that it can be killed."""
    script = world.program(text)
    return subprocess.Popen(
        [sys.executable, "-c", DRIVER, str(script), str(world.launcher), str(world.folder / "run")],
        cwd=world.folder,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("number", several(signal.SIGTERM, signal.SIGINT, signal.SIGHUP))
@pytest.mark.parametrize("kind", ["one that ignores the request to end", "one that is stopped"])
def test_a_signal_ends_the_job_and_leaves_the_evidence(
    world: World, number: int, kind: str
) -> None:
    process = driven(world, STUBBORN[kind])
    assert world.wait_for(lambda: len(world.seen()) == 2)
    process.send_signal(number)
    said, _ = process.communicate(timeout=60)
    assert said == "interrupted\n"
    assert process.returncode == 0
    assert not world.left()


@pytest.mark.parametrize(
    "kind",
    [
        "one that ignores the request to end",
        "one that is stopped",
        "a grandchild in a session of its own",
        "an orphan in a session of its own",
    ],
)
def test_nothing_survives_when_distify_is_killed(world: World, kind: str) -> None:
    process = driven(world, STUBBORN[kind])
    assert world.wait_for(lambda: len(world.seen()) >= (4 if "own" in kind else 2))
    process.kill()
    process.communicate(timeout=60)
    assert world.wait_for(lambda: not world.left())


def test_the_workers_notice_it_even_without_the_guard(world: World) -> None:
    """The same on another machine, where the guard is not."""
    folder, token = world.folder / "run", uuid.uuid4().hex
    folder.mkdir()
    lock = os.open(folder / "alive", os.O_RDWR | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_EX)
    mark = {"DISTIFY_PROBE": str(folder), "DISTIFY_PROBE_TOKEN": token}
    program = world.program("here(subprocess.Popen(['sleep', '600']).pid)\ntime.sleep(600)\n")
    environment = {**os.environ, **mark, "PYTHONPATH": str(PROBE)}
    worker = subprocess.Popen([sys.executable, str(program)], env=environment)
    assert world.wait_for(lambda: len(world.left()) == 2)
    os.close(lock)
    assert worker.wait(20) == -signal.SIGKILL
    assert world.wait_for(lambda: not world.left())


def test_a_folder_without_a_lock_ends_nothing(world: World) -> None:
    folder = world.folder / "run"
    folder.mkdir()
    mark = {"DISTIFY_PROBE": str(folder), "DISTIFY_PROBE_TOKEN": uuid.uuid4().hex}
    program = world.program("time.sleep(1.5)\n")
    environment = {**os.environ, **mark, "PYTHONPATH": str(PROBE)}
    done = subprocess.run([sys.executable, str(program)], env=environment, check=False)
    assert done.returncode == 0


def test_only_what_carries_the_token_is_found() -> None:
    token = uuid.uuid4().hex
    with sleeper() as stranger, sleeper({"DISTIFY_PROBE_TOKEN": token}) as own:
        assert list(carriers(token)) == [own.pid]
        family = Family(token)
        assert family.look() == {own.pid}
        family.end(bool)
        own.wait()
        assert alive(stranger.pid)
        assert not alive(own.pid)


@contextlib.contextmanager
def sleeper(environment: dict[str, str] | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """A process that has begun: where `exec` is still at work, its environment is not there yet."""
    command = [sys.executable, "-uc", "import time; print('up'); time.sleep(600)"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout
        process.stdout.readline()
        try:
            yield process
        finally:
            process.kill()


class Earlier(psutil.Process):
    """A process that had the same id before, as psutil tells one from another: by its start."""

    def __init__(self, pid: int) -> None:
        super().__init__(pid)
        self._ident = (pid, 0.0)


def test_a_process_id_that_is_used_again_is_another_process() -> None:
    with sleeper() as stranger:
        family = Family(uuid.uuid4().hex)
        earlier = Earlier(stranger.pid)
        family._known = frozenset([earlier])
        family._signal(signal.SIGKILL)
        assert family.look() == set()
        assert alive(stranger.pid)


@pytest.mark.parametrize("question", ["status", "ppid", "environ"])
@pytest.mark.parametrize(
    "error",
    [
        psutil.NoSuchProcess(1),
        psutil.ZombieProcess(1),
        psutil.AccessDenied(1),
        FileNotFoundError(2, "a race in /proc that psutil lets through"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_process_that_cannot_be_read_hides_no_other(
    monkeypatch: pytest.MonkeyPatch, question: str, error: Exception
) -> None:
    """It ended between two questions, or is another user's."""
    token, answer = uuid.uuid4().hex, getattr(psutil.Process, question)
    mark = {"DISTIFY_PROBE_TOKEN": token}
    with sleeper(mark) as unread, sleeper(mark) as own:

        @functools.wraps(answer)  # with what `oneshot` hangs on it
        def asked(process: psutil.Process) -> object:
            if process.pid == unread.pid:
                raise error
            return answer(process)

        family = Family(token)
        monkeypatch.setattr(psutil.Process, question, asked)
        assert list(carriers(token)) == [own.pid]
        assert family.look() == {own.pid}


def test_a_child_whose_environment_cannot_be_read_is_found_by_descent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuses(process: psutil.Process) -> None:
        raise psutil.AccessDenied(process.pid)

    monkeypatch.setattr(psutil.Process, "environ", refuses)
    with sleeper() as stranger:
        family = Family(uuid.uuid4().hex)
        with sleeper() as child:
            assert family.look() == {child.pid}
            family.end(bool)
            assert child.wait() == -signal.SIGTERM
        assert alive(stranger.pid)


def test_a_zombie_has_ended() -> None:
    token = uuid.uuid4().hex
    family = Family(token)
    with sleeper({"DISTIFY_PROBE_TOKEN": token}) as own:
        own.kill()
        os.waitid(os.P_PID, own.pid, os.WEXITED | os.WNOWAIT)  # it has ended and stays a zombie
        assert psutil.Process(own.pid).status() == psutil.STATUS_ZOMBIE
        assert not alive(own.pid)
        assert family.look() == set()
        assert list(carriers(token)) == []
