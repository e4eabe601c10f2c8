"""Which files of a program are told, and what no other worker could share. Needs no TensorFlow."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROBE = Path(__file__).resolve().parents[4] / "assistant/verify/probe"
START = "import os, sqlite3, tempfile\nfrom pathlib import Path\n"


def written(folder: Path, text: str) -> list[dict[str, Any]]:
    """The files that a program was seen to write, started in a folder of its own."""
    records, cwd, home = folder / "records", folder / "cwd", folder / "home"
    for made in (records, cwd, home):
        made.mkdir()
    (folder / "train.py").write_text(START + text)
    options = {"root": str(folder), "role": "baseline"}
    environment = {
        **os.environ, "PYTHONPATH": str(PROBE), "DISTIFY_PROBE": str(records), "HOME": str(home),
        "DISTIFY_PROBE_OPTIONS": json.dumps(options),
    }  # fmt: skip
    environment.pop("XDG_CACHE_HOME", None)
    environment.pop("DISTIFY_PROBE_TAKEN", None)
    program = (
        "import fcntl, os, subprocess, sys\n"
        "alive = open(sys.argv[1], 'w'); fcntl.flock(alive, fcntl.LOCK_EX)\n"
        "sys.exit(subprocess.run([sys.executable, sys.argv[2]]).returncode)\n"
    )
    outside = {k: v for k, v in environment.items() if k != "PYTHONPATH"}
    launcher = folder / "launch.py"
    launcher.write_text(program.replace("argv[2]]", f"argv[2]], env={environment!r}"))
    done = subprocess.run(
        [sys.executable, str(launcher), str(records / "alive"), str(folder / "train.py")],
        cwd=cwd, env={k: v for k, v in outside.items() if not k.startswith("DISTIFY")},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = (records / "rank0.jsonl").read_text().splitlines()
    return [each for each in map(json.loads, lines) if each["event"] == "write"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("open('a', 'w')", "a"),
        ("open('a', 'ab')", "a"),
        ("open('a', 'x')", "a"),
        ("os.open('a', os.O_CREAT | os.O_RDWR)", "a"),
        ("Path('a').write_text('x')", "a"),
        ("os.chdir('..'); open('cwd/a', 'w')", "a"),
        ("os.symlink('b', 'a'); open('a', 'w')", "b"),
        ("sqlite3.connect('a')", "a"),
    ],
)
def test_a_file_is_told_by_its_real_path(text: str, name: str, tmp_path: Path) -> None:
    found = written(tmp_path, text)
    assert str(tmp_path.resolve() / "cwd" / name) in [each["path"] for each in found]
    assert {each["where"] for each in found} == {"train.py:3"}


def test_a_file_is_told_once(tmp_path: Path) -> None:
    assert len(written(tmp_path, "for _ in range(3): open('a', 'a')")) == 1


def test_a_file_that_is_moved_into_place_is_told(tmp_path: Path) -> None:
    text = "handle, name = tempfile.mkstemp(); os.rename(name, 'a')"
    assert [Path(each["path"]).name for each in written(tmp_path, text)] == ["a"]


@pytest.mark.parametrize(
    "text",
    [
        "open(__file__)",
        "open(os.devnull, 'w')",
        "os.mkfifo('a'); os.open('a', os.O_RDWR)",
        "read, write = os.pipe(); os.fdopen(write, 'w').write('x')",
        "tempfile.NamedTemporaryFile().write(b'x')",
        "tempfile.TemporaryFile().write(b'x')",
        "Path(tempfile.mkdtemp(), 'a').write_text('x')",
        "open(f'log.host.{os.getpid()}', 'w')",
        "os.makedirs(Path.home() / '.cache'); open(Path.home() / '.cache/fonts', 'w')",
        "os.makedirs('a/b')",
        "sqlite3.connect(':memory:')",
        "Path('a.py').with_name('a.lock').write_text('')",
        "import sys; sys.path.insert(0, '..'); import train",
    ],
)
def test_what_no_other_worker_shares_is_not_told(text: str, tmp_path: Path) -> None:
    assert not written(tmp_path, f"if __name__ == '__main__':\n    {text}")


def test_a_program_that_fails_to_write_fails_as_before(tmp_path: Path) -> None:
    text = "try:\n    open('no/such/folder', 'w')\nexcept FileNotFoundError:\n    open('a', 'w')"
    assert str(written(tmp_path, text)[-1]["path"]).endswith("/a")


STEPPED = """
from distify_probe import steps
class Made:
    id, first_rate = 0, 0.1
    def steps(self):
        return 3
steps.known.append(Made())
"""


@pytest.mark.parametrize(
    ("text", "leaves"),
    [
        ("open(os.environ['THERE'], 'w').write('one')", True),
        ("os.remove(os.environ['THERE'])", True),
        ("open('here', 'w').write('one')", False),
        ("open(os.environ['THERE']).read()", False),
        ("os.remove(tempfile.mkstemp()[1])", False),
    ],
)
@pytest.mark.parametrize("beyond", [True, False])
def test_one_process_leaves_before_it_changes_what_is_the_users(
    tmp_path: Path, text: str, leaves: bool, beyond: bool
) -> None:
    """Once all that it is needed for was seen: the job has written there before."""
    there, records, cwd = tmp_path / "there", tmp_path / "records", tmp_path / "cwd"
    there.write_text("job")
    for made in (records, cwd):
        made.mkdir()
    (tmp_path / "train.py").write_text(f"{START}{STEPPED}{text}\nprint('on')\n")
    options = {"root": str(tmp_path), "role": "reference", "beyond": 60, "whole": not beyond}
    environment = {
        **os.environ, "PYTHONPATH": str(PROBE), "DISTIFY_PROBE": str(records),
        "DISTIFY_PROBE_OPTIONS": json.dumps(options), "THERE": str(there),
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, str(tmp_path / "train.py")], cwd=cwd, env=environment,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    left = leaves and beyond
    assert (done.stdout == "on\n") is not left, done.stderr
    assert (there.exists() and there.read_text() == "job") or not left
