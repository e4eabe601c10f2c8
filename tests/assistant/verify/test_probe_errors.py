"""How the probe tells that a program ended by an error, and where. No TensorFlow is needed."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

PROBE = Path(__file__).resolve().parents[3] / "assistant/verify/probe"
Record = dict[str, Any]


def start(folder: Path, text: str) -> subprocess.Popen[str]:
    """A program on what looks like one of Horovod's workers, with the probe."""
    program = folder / "train.py"
    program.write_text(text)
    environment = {
        **os.environ,
        "PYTHONPATH": str(PROBE),
        "DISTIFY_PROBE": str(folder),
        "DISTIFY_PROBE_TOKEN": folder.name,
        "DISTIFY_PROBE_OPTIONS": json.dumps({"root": str(folder)}),
        "HOROVOD_RANK": "1",
        "HOROVOD_SIZE": "2",
    }
    return subprocess.Popen(
        [sys.executable, str(program)], env=environment, cwd=folder,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.fixture
def errors(tmp_path: Path) -> Any:
    def run(text: str) -> list[Record]:
        with open(tmp_path / "alive", "w") as alive:
            fcntl.flock(alive, fcntl.LOCK_EX)
            start(tmp_path, text).communicate(timeout=60)
        records = [json.loads(line) for line in (tmp_path / "rank1.jsonl").open()]
        assert [
            each for each in records if each["event"] == "blind" and "errors" in each["what"]
        ] == []
        return [each for each in records if each["event"] == "error"]

    return run


def only(found: list[Record]) -> Record:
    assert len(found) == 1
    return found[0]


def test_a_program_that_ends_well_has_no_error(errors: Any) -> None:
    assert errors("try:\n    1 / 0\nexcept ZeroDivisionError:\n    pass\n") == []


def test_an_error_of_the_programs_own(errors: Any) -> None:
    error = only(errors("def step():\n    return 1 / 0\n\n\nstep()\n"))
    assert (error["type"], error["where"]) == ("ZeroDivisionError", "train.py:2")
    assert error["inside"] is None
    assert error["frames"] == ["train.py:5 in <module>", "train.py:2 in step"]


def test_an_error_inside_a_library_is_told_with_the_users_line(errors: Any) -> None:
    error = only(errors("import json\n\ndef read():\n    json.loads('{')\n\nread()\n"))
    assert error["where"] == "train.py:4"
    assert error["inside"] == "json:loads"
    assert len(error["frames"]) == 5


def test_the_innermost_line_of_the_user_counts_where_a_library_calls_back(errors: Any) -> None:
    error = only(errors("import functools\n\ndef add(a, b):\n    return a + b.x\n\n"
                        "functools.reduce(add, [1, 2])\n"))  # fmt: skip
    assert error["where"] == "train.py:4"


@pytest.mark.parametrize("how", ["raise", "raise OSError(1)", "raise OSError('x') from error"])
def test_an_error_raised_anew_is_told_with_the_place_where_it_began(errors: Any, how: str) -> None:
    text = "import json\ntry:\n    json.loads('{')\nexcept ValueError as error:\n    " + how + "\n"
    error = only(errors(text))
    assert (error["where"], error["inside"]) == ("train.py:3", "json:loads")
    assert error["type"] == ("JSONDecodeError" if how == "raise" else "OSError")


def test_what_was_handled_is_no_cause_of_what_a_library_raises(errors: Any) -> None:
    text = "import json\ntry:\n    {}['a']\nexcept KeyError:\n    json.loads('{')\n"
    error = only(errors(text))
    assert (error["type"], error["where"], error["cause"]) == (
        "JSONDecodeError",
        "train.py:5",
        None,
    )


def test_an_error_of_a_thread(errors: Any) -> None:
    text = "import threading\n\ndef work():\n    [][1]\n\nthreading.Thread(target=work).start()\n"
    error = only(errors(text))
    assert (error["type"], error["where"]) == ("IndexError", "train.py:4")
    assert "thread" in error


@pytest.mark.parametrize("code", ["2", "'no data'"])
def test_an_exit_with_a_code(errors: Any, code: str) -> None:
    error = only(errors(f"import sys\n\ndef leave():\n    sys.exit({code})\n\nleave()\n"))
    assert (error["type"], error["where"]) == ("SystemExit", "train.py:4")
    assert error["message"] == code.strip("'")


@pytest.mark.parametrize("code", ["", "0", "None"])
def test_an_exit_without_a_code_is_no_error(errors: Any, code: str) -> None:
    assert errors(f"import sys\n\nsys.exit({code})\n") == []


def test_a_hook_of_the_programs_own_hides_nothing(errors: Any) -> None:
    text = "import sys\nsys.excepthook = lambda *error: print(error)\n1 / 0\n"
    assert only(errors(text))["where"] == "train.py:3"


def test_a_hook_that_was_there_is_still_called(tmp_path: Path) -> None:
    with open(tmp_path / "alive", "w") as alive:
        fcntl.flock(alive, fcntl.LOCK_EX)
        process = start(tmp_path, "1 / 0\n")
        _, said = process.communicate(timeout=60)
    assert "ZeroDivisionError: division by zero" in said
    assert process.returncode == 1


def test_the_stacks_of_all_threads_on_a_signal(tmp_path: Path) -> None:
    text = "import threading, time\n\ndef wait():\n    time.sleep(60)\n\n"
    text += "threading.Thread(target=wait, daemon=True).start()\nprint('up', flush=True)\nwait()\n"
    with open(tmp_path / "alive", "w") as alive:
        fcntl.flock(alive, fcntl.LOCK_EX)
        process = start(tmp_path, text)
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
        process.send_signal(signal.SIGUSR2)
        patience = time.monotonic() + 20
        while time.monotonic() < patience:
            stack = (tmp_path / "rank1.stack").read_text()
            if "in <module>" in stack:  # the main thread comes last, and this at its end
                break
            time.sleep(0.05)
        assert process.poll() is None
        process.kill()
        process.communicate()
    assert 'train.py", line 4 in wait' in stack
    assert "in <module>" in stack
