"""The probe's kernel, in a Python without TensorFlow: it starts, hooks, and harms nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

CHOSEN = (1, 2, 3, 4, 5, 6, 9, 13, 19, 28)
PROBE = Path(__file__).resolve().parents[4] / "assistant/verify/probe"


def run(folder: Path, text: str, rank: str | None = "1", *beside: Path, **options: Any) -> Any:
    """Runs a program with the probe; gives how it ended, and the records of each worker."""
    program = folder / "train.py"
    program.write_text(text)
    records = folder / "records"
    records.mkdir(exist_ok=True)
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("DISTIFY")},
        "PYTHONPATH": os.pathsep.join(map(str, (PROBE, *beside))),
        "DISTIFY_PROBE": str(records),
        "DISTIFY_PROBE_OPTIONS": json.dumps({"root": str(folder), **options}),
    }
    if rank is not None:
        environment |= {"HOROVOD_RANK": rank, "HOROVOD_SIZE": "2"}
    done = subprocess.run(
        [sys.executable, str(program)], cwd=folder, env=environment,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    found = {
        file.stem: [json.loads(line) for line in file.read_text().splitlines()]
        for file in records.glob("*.jsonl")
    }
    return done, found


def test_a_worker_says_that_it_began_and_ended(tmp_path: Path) -> None:
    done, found = run(tmp_path, "print('trained')\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "trained\n", "")
    events = [each["event"] for each in found["rank1"]]
    assert (events[0], events[-1]) == ("start", "end")
    assert found["rank1"][0]["rank"] == 1
    assert found["rank1"][0]["size"] == 2
    assert not [
        each for each in found["rank1"] if each["event"] == "blind" and "No module" in each["why"]
    ]


@pytest.mark.parametrize(
    ("text", "code"), [("import sys; sys.exit(3)\n", 3), ("raise ValueError('x')\n", 1)]
)
def test_a_program_ends_as_it_would(tmp_path: Path, text: str, code: int) -> None:
    done, found = run(tmp_path, text)
    assert done.returncode == code
    assert [each["event"] for each in found["rank1"]].count("end") == 1


def test_who_has_no_rank_is_not_watched(tmp_path: Path) -> None:
    done, found = run(tmp_path, "print('started')\n", None)
    assert (done.returncode, done.stdout, done.stderr, found) == (0, "started\n", "", {})


LAUNCHER = "import horovod.common.util as util; print(util.gloo_built(verbose=False))\n"
UTIL = "def gloo_built(verbose=False):\n    return 'imported TensorFlow'\n"


@pytest.mark.parametrize(
    ("rank", "known", "said"),
    [
        (None, ["gloo"], "True"),
        (None, ["mpi"], "imported TensorFlow"),
        (None, [], "imported TensorFlow"),
        ("1", ["gloo"], "imported TensorFlow"),  # a program may ask what it likes
    ],
)
def test_the_launcher_need_not_ask_what_is_known(
    tmp_path: Path, rank: str | None, known: list[str], said: str
) -> None:
    (tmp_path / "horovod" / "common").mkdir(parents=True)
    (tmp_path / "horovod" / "common" / "util.py").write_text(UTIL + "def mpi_built(): pass\n")
    done, _ = run(tmp_path, LAUNCHER, rank, tmp_path, controllers=known)
    assert (done.stdout.strip(), done.stderr) == (said, "")


@pytest.mark.parametrize("role", ["reference", "baseline"])
def test_a_process_beside_the_job_needs_no_rank(tmp_path: Path, role: str) -> None:
    _, found = run(tmp_path, "pass\n", None, role=role)
    assert found["rank0"][0]["size"] == 1


def test_a_process_that_a_worker_starts_is_no_worker(tmp_path: Path) -> None:
    (tmp_path / "child.py").write_text("print('child')\n")
    text = "import os, subprocess, sys\nsubprocess.run([sys.executable, 'child.py'])\n"
    text += "pid = os.fork()\nif not pid:\n    sys.exit()\nos.waitpid(pid, 0)\n"
    done, found = run(tmp_path, text)
    assert done.stdout == "child\n"
    assert [each["event"] for each in found["rank1"]].count("start") == 1
    assert [each["event"] for each in found["rank1"]].count("end") == 1


def test_the_sitecustomize_that_is_hidden_runs_too(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own/sitecustomize.py").write_text("import sys; sys.customized = __file__\n")
    done, _ = run(tmp_path, "import sys; print(sys.customized)\n", "0", tmp_path / "own")
    assert done.stdout.strip() == str(tmp_path / "own/sitecustomize.py")


def test_options_that_cannot_be_read_stop_no_program(tmp_path: Path) -> None:
    done, _ = run(tmp_path, "print('trained')\n")
    environment = {**os.environ, "PYTHONPATH": str(PROBE), "DISTIFY_PROBE": str(tmp_path)}
    environment |= {"DISTIFY_PROBE_OPTIONS": "{", "HOROVOD_RANK": "0"}
    done = subprocess.run(
        [sys.executable, "train.py"], cwd=tmp_path, env=environment,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "trained\n")
    assert "the probe did not start" in done.stderr


# ---------------------------------------------------------------- hooks

HOOKED = """
import sys
sys.path.insert(0, {probe!r})
from distify_probe import imports, record
record.blind = lambda what, why: print("BLIND", what, why)

@imports.when_imported("lib.one", "lib.two")
def hook(module):
    print("HOOK", module.__name__, module.value)
    imports.replace(module, "work", lambda original, *a, **k: original(*a, **k) + 1)
    if module.__name__ == "lib.two":
        raise ValueError("no")

imports.start()
"""


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("import lib.one\nprint(lib.one.work(1))", ["HOOK lib.one 1", "3"]),
        (
            "from lib import two\nprint(two.work(1))",
            ["HOOK lib.two 2", "BLIND __main__ ValueError: no", "3"],
        ),
        ("import lib.other\nprint(lib.other.work(1))", ["2"]),
        ("import json\nprint(json.loads('1'))", ["1"]),
        (
            "import lib.one, inspect\nprint(inspect.signature(lib.one.work))",
            ["HOOK lib.one 1", "(x)"],
        ),
        ("import lib.one, lib.one\nprint(lib.one.__file__[-6:])", ["HOOK lib.one 1", "one.py"]),
        ("try:\n    import lib.none\nexcept ImportError:\n    print('none')", ["none"]),
    ],
)
def test_hooks_run_once_behind_the_module(
    tmp_path: Path, program: str, expected: list[str]
) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/__init__.py").touch()
    for number, name in enumerate(("other", "one", "two")):
        (tmp_path / f"lib/{name}.py").write_text(
            f"value = {number}\ndef work(x):\n    return x + 1\n"
        )
    text = HOOKED.format(probe=str(PROBE))
    done = subprocess.run(
        [sys.executable, "-c", text + program], cwd=tmp_path,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.splitlines() == expected


# ---------------------------------------------------------------- steps

FAKE = """
import sys
sys.path.insert(0, {probe!r})
from distify_probe import steps
from distify_probe.trained import Trained

class Fake(Trained):
    name, api = "Fake", "keras"
    def __init__(self): self.made = 0
    def steps(self): return self.made
    def rate(self): return 0.5
    def names(self): return ["w"]
    def arrays(self): return []

def step(*about):
    entered = steps.before(about)
    for each in about:
        each.made += 1
    steps.after(entered)

def new():
    return steps.register(Fake())
"""


def states(found: list[dict[str, Any]]) -> list[list[int]]:
    return [each["steps"] for each in found if each["event"] == "state" and each["at"] == "step"]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("a = new()\nfor _ in range(30): step(a)", [[n] for n in CHOSEN]),
        ("a, b = new(), new()\nfor _ in range(3): step(a, b)", [[1, 1], [2, 2]]),
        ("a, b = new(), new()\nfor _ in range(3): step(a), step(b)", [[1, 1], [2, 2]]),
        ("a = new()\nfor _ in range(3): step(a)\nb = new()\nfor _ in range(3): step(b)",
         [[1], [2], [3, 1], [3, 2]]),
        ("a = new()\nstep(a)", []),
        ("", []),
    ],
)  # fmt: skip
def test_states_are_taken_at_the_entry_of_the_next_round(
    tmp_path: Path, program: str, expected: list[list[int]]
) -> None:
    done, found = run(tmp_path, FAKE.format(probe=str(PROBE)) + program)
    assert done.returncode == 0, done.stderr
    assert states(found["rank1"]) == expected


@pytest.mark.parametrize("limit", [1, 4])
@pytest.mark.parametrize("caught", ["Exception", "BaseException"])
def test_the_limit_ends_the_program(tmp_path: Path, limit: int, caught: str) -> None:
    loop = (
        f"a = new()\nfor _ in range(20):\n    try: step(a)\n    except {caught}: pass\nprint('on')"
    )
    done, found = run(tmp_path, FAKE.format(probe=str(PROBE)) + loop, limit_steps=limit)
    assert (done.returncode, done.stdout) == (0, "")
    assert [each["steps"] for each in found["rank1"] if each["event"] == "limited"] == [limit]
    assert found["rank1"][-1] == {**found["rank1"][-1], "event": "end", "steps": limit}
    assert (tmp_path / "records/rank1.progress").read_text() == str(limit)


def test_an_optimizer_that_fails_to_tell_is_a_blind_spot(tmp_path: Path) -> None:
    failing = "Fake.arrays = lambda self: 1 / 0\nFake.rate = lambda self: 1 / 0\n"
    loop = "a = new()\nfor _ in range(3): step(a)\nprint(steps.now())"
    done, found = run(tmp_path, FAKE.format(probe=str(PROBE)) + failing + loop)
    assert (done.returncode, done.stdout) == (0, "[3]\n")
    blind = {each["what"] for each in found["rank1"] if each["event"] == "blind"}
    assert {"rate", "variables"} <= blind
