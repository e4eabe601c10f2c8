"""Programs without an end, that ignore requests, that leave their group, that write to our files.

What holds: the run ends, no process of it is left, the disk and the memory are bounded, and the
verdict says what it did too much of.
"""

from __future__ import annotations

import json
import os
import re
import resource
import time
from pathlib import Path

import pytest

from distify.assistant.verify import judges
from distify.assistant.verify.record import printed_lines as output
from distify.assistant.verify.record.evidence import Evidence
from distify.assistant.verify.record.printed_lines import Output
from distify.assistant.verify.run import bounds
from world import World, world

__all__ = ["world"]
MB = 1 << 20
FLOODS = {
    "no line ends": 'b = b"\\x1b[31m\\r" * 10000\nwhile True: os.write(1, b)\n',
    "nothing but line ends": 'b = b"\\n" * 100000\nwhile True: os.write(1, b)\n',
    "on both streams": 'b = b"x" * 9999 + b"\\n"\nwhile True: os.write(1, b); os.write(2, b)\n',
    "by a child that nobody waits for": """
        if os.fork() == 0:
            os.setsid()
            here()
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            while True: os.write(1, b"y" * 100000)
        time.sleep(600)
    """,
    "tags of other workers": """
        while True:
            os.write(1, b"".join(b"[%d]<stdout>:%s\\n" % (n, b"z" * 9000) for n in range(9999)))
    """,
}


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bounds, a hundred times smaller: no test fills a disk."""
    monkeypatch.setattr(bounds, "OUTPUT", 10 * MB)
    monkeypatch.setattr(bounds, "RECORDS", 20 * MB)
    monkeypatch.setattr(bounds, "OF_WORKER", 2 * MB)
    monkeypatch.setattr(bounds, "LAUNCHER", 300 * MB)
    monkeypatch.setattr(output, "BEHIND", MB)
    monkeypatch.setattr(output, "KEPT_BYTES", MB // 4)


def told(evidence: Evidence) -> str:
    (found,) = (each for each in judges.verdicts(evidence) if each.question == "ended")
    return found.text


@pytest.mark.parametrize("name", FLOODS)
def test_output_without_end(world: World, name: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = world.run(FLOODS[name], timeout=60.0)
    assert found.ending == "endless"
    assert "printed" in told(found)
    assert not world.left()
    assert found.output
    assert found.output.stat().st_size < 2 * MB
    assert "without" in told(found) or b"distify left out" in found.output.read_bytes()
    assert set(found.tails) <= {-1, 0, 1}
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300 * 1024  # kB


def test_of_a_flood_both_ends_are_kept(world: World) -> None:
    found = world.run("print('first')\nfor n in range(300_000): print('x' * 20)\nprint('last')\n")
    assert found.ending in ("done", "endless")
    assert found.output
    kept = found.output.read_text()
    assert "first" in kept[: MB // 4]
    assert "distify left out" in kept
    if found.ending == "done":
        assert "last" in kept
        # One worker may be done long before the other: whichever ends the output ends its tail.
        rank = int(re.findall(r"\[(\d)\]<stdout>:last", kept)[-1])
        assert found.tails[rank].endswith("last")


def test_a_program_that_trains_for_ever(world: World) -> None:
    found = world.run("n = 0\nwhile True:\n    n += 1; steps(n)\n", limit_time=4.0, timeout=60.0)
    assert found.ending == "endless"
    assert told(found) == "it was ended: it ran for more than 4 s (--limit-time)"
    assert not world.left()


def test_a_program_that_talks_for_ever_hangs(world: World) -> None:
    found = world.run(
        "while True:\n    print('.', end='', flush=True); time.sleep(0.05)\n", timeout=0.1
    )
    assert found.ending == "hang"
    assert not world.left()


def test_a_job_without_end_is_the_last_run(world: World) -> None:
    found = world.run(FLOODS["no line ends"], timeout=60.0, reference=True)
    assert found.ending == "endless"
    assert found.reference is None
    assert "printed more than" in told(found)
    assert not world.left()


LEAVES = {
    "ignores requests": """
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        while True: time.sleep(600)
    """,
    "asks others to ignore them": """
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, signal.NSIG))
        subprocess.Popen(["sh", "-c", "trap '' TERM INT HUP; while :; do sleep 1; done"])
        while True: time.sleep(600)
    """,
    "leaves the group and its name": """
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                here()
                os.execve("/bin/sleep", ["sleep", "600"], {})
            os._exit(0)
        while True: time.sleep(600)
    """,
    "is another process each moment": """
        born = os.open(os.path.join(PIDS, "..", "born"), os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        until = time.time() + 60
        while time.time() < until:
            if os.fork():
                os._exit(0)
            os.setsid()
            os.write(born, b".")
    """,
}


@pytest.mark.parametrize("name", LEAVES)
def test_what_leaves_the_group_is_ended(world: World, name: str) -> None:
    found = world.run(LEAVES[name], limit_time=3.0, timeout=60.0)
    assert found.ending in ("endless", "done", "failed")
    assert not world.left()
    born = world.folder / "born"
    if born.exists():  # none of them is there to say who it is
        size = born.stat().st_size
        time.sleep(0.5)
        assert born.stat().st_size == size


OWN_FILES = {
    "records without end": """
        with open(own(f"rank{RANK}.jsonl"), "a") as file:
            while True: file.write("x" * 100_000)
    """,
    "a record for each moment": """
        with open(own(f"rank{RANK}.jsonl"), "a") as file:
            more = "y" * 50
            for n in range(30_000):
                file.write('{"event": "loss", "t": 1.0, "steps": 1, "x": "%s"}\\n' % more)
    """,
    "pipes for records": """
        for end in ("jsonl", "progress", "threads", "stack", "npz"):
            for rank in range(3):
                if os.path.lexists(own(f"rank{rank}.{end}")): os.unlink(own(f"rank{rank}.{end}"))
                os.mkfifo(own(f"rank{rank}.{end}"))
        time.sleep(600)
    """,
    "devices for records": """
        for end in ("jsonl", "progress", "threads", "stack", "npz"):
            for rank in range(3):
                if os.path.lexists(own(f"rank{rank}.{end}")): os.unlink(own(f"rank{rank}.{end}"))
                os.symlink("/dev/zero", own(f"rank{rank}.{end}"))
        time.sleep(600)
    """,
    "a pipe for the output": """
        os.unlink(own("output.txt")); os.mkfifo(own("output.txt")); os.unlink(own("alive"))
        os.mkdir(own("alive"))
        time.sleep(600)
    """,
    "output that is cut and as long as a disk": """
        for n in range(20):
            os.truncate(own("output.txt"), 0 if n % 2 else 1 << 40)
            time.sleep(0.1)
        time.sleep(600)
    """,
    "no folder any more": """
        import shutil
        shutil.rmtree(os.environ["DISTIFY_PROBE"])
        time.sleep(600)
    """,
    "steps that are no numbers": """
        open(own(f"rank{RANK}.progress"), "w").write("9" * 5_000)
        open(own(f"rank{RANK}.jsonl"), "w").write("[" * 100_000)
        time.sleep(600)
    """,
}


@pytest.mark.parametrize("name", OWN_FILES)
def test_a_program_that_writes_to_our_files(world: World, name: str) -> None:
    own = "def own(name): return os.path.join(os.environ['DISTIFY_PROBE'], name)\n"
    precious = world.folder / "precious"
    precious.write_text("precious\n")
    text = own + "\n".join(line[8:] for line in OWN_FILES[name].splitlines())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = world.run(text, limit_time=8.0, timeout=2.0)
    assert judges.verdicts(found)
    assert not world.left()
    assert precious.read_text() == "precious\n"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300 * 1024


def test_a_stack_that_is_a_link_is_not_cut(world: World) -> None:
    precious = world.folder / "precious"
    precious.write_text("precious\n")
    link = "os.path.join(os.environ['DISTIFY_PROBE'], f'rank{RANK}.stack')"
    text = f"steps(1)\nif os.path.lexists({link}): os.unlink({link})\n"
    found = world.run(text + f"os.symlink({str(precious)!r}, {link})\ntime.sleep(600)\n")
    assert found.ending == "hang"
    assert precious.read_text() == "precious\n"


def test_arrays_in_a_pipe_or_without_end(tmp_path: Path) -> None:
    from distify.assistant.verify.record import arrays

    os.mkfifo(tmp_path / "pipe.npz")
    with pytest.raises(arrays.NoArrays):
        arrays.load(tmp_path / "pipe.npz")


def test_only_ranks_that_there_are_have_lines(tmp_path: Path) -> None:
    path = tmp_path / "output"
    path.write_text("".join(f"[{rank}]<stdout>:{'x' * 100}\n" for rank in range(5_000)))
    found = Output(path, 2)
    found.read()
    assert sorted(found.lines) == [-1, 0, 1]


def test_the_verdict_is_told_for_programs(world: World) -> None:
    from distify.assistant.report import verdict_json
    from distify.assistant.report.verify_report import Told

    found = world.run(FLOODS["no line ends"], timeout=60.0)
    said = json.loads(verdict_json.document(Told(found, judges.verdicts(found))))
    assert said["ending"] == "endless"
