"""Nobody's code runs, nothing outside is written, nothing is sent: asked of Python itself.

An audit hook (PEP 578) notes what a command opens for writing, starts, connects to and executes.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from .conftest import TRAIN, Checkout

# Runs distify and writes down what Python tells of it.
NOTING = """\
import json, os, sys
told = os.environ["NOTED"]
noted = {"written": [], "sent": [], "started": [], "run": []}
MOVES = {"os.rename": 1, "os.remove": 0, "os.mkdir": 0, "os.rmdir": 0, "os.link": 1,
         "os.symlink": 1, "os.truncate": 0, "os.chmod": 0}

def note(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)) and isinstance(arguments[2], int):
        if arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            noted["written"].append(os.path.abspath(os.fsdecode(arguments[0])))
    elif event in MOVES and isinstance(arguments[MOVES[event]], (str, bytes)):
        noted["written"].append(os.path.abspath(os.fsdecode(arguments[MOVES[event]])))
    elif event in ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto"):
        noted["sent"].append(event)
    elif event == "subprocess.Popen":
        noted["started"].append([os.fsdecode(each) for each in arguments[1]])
    elif event == "exec" and getattr(arguments[0], "co_filename", "").startswith(os.getcwd()):
        noted["run"].append(arguments[0].co_filename)

sys.dont_write_bytecode = True
sys.addaudithook(note)
from distify.assistant.__main__ import main
try:
    main()
finally:
    with open(told, "w") as file:
        json.dump(noted, file)
"""
COMMANDS = {
    "check": ("check", "."),
    "check with reports": ("check", "--report", "r.html", "--report", "r.sarif", "."),
    "migrate": ("migrate", "."),
    "migrate one": ("migrate", "--no-cache", "a.py"),
    "a diff": ("migrate", "--diff", "."),
    "commits": ("migrate", "--commit", "."),
    "another folder": ("migrate", "--output-dir", "out", "."),
    "a walk": ("migrate", "-i", "a.py"),
    "undo": ("undo",),
    "rules": ("rules",),
    "settings": ("settings",),
    "doctor": ("doctor",),
    "how to build Horovod": ("install-horovod", "--dry-run"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_does(checkout: Checkout, tmp_path: Path, name: str) -> None:
    ran, noted, scratch = tmp_path / "ran", tmp_path / "noted", tmp_path / "scratch"
    scratch.mkdir()
    trap = f"open({str(ran)!r}, 'w').write(__name__)\n"
    checkout.commit(a_py=trap + TRAIN, b_py=trap + TRAIN, **{"lib/__init___py": trap})
    for each in ("conftest.py", "setup.py", "sitecustomize.py", "numpy.py", "tensorflow.py"):
        checkout.write(each, trap)
    checkout.git("add", "-A")
    checkout.git("commit", "-q", "-m", "traps")
    env = {"NOTED": str(noted), "TMPDIR": str(scratch), "PYTHONDONTWRITEBYTECODE": "1"}
    checkout.run(sys.executable, "-I", "-c", NOTING, *COMMANDS[name], env=env)
    said = json.loads(noted.read_text())
    assert not ran.exists()
    assert said["run"] == []
    assert said["sent"] == []
    home = tmp_path / "home"
    inside = (checkout.folder, scratch, home, noted, Path("/dev"), Path("/proc/self"))
    outside = [each for each in said["written"] if not _is_within(each, inside)]
    assert outside == []
    for command in said["started"]:
        program = os.path.basename(command[0])
        assert program.startswith(("git", "python", "g++", "cmake", "nvidia-smi", "uname")), command


def _is_within(path: str, folders: tuple[Path, ...]) -> bool:
    return any(Path(path) == each or each in Path(path).parents for each in folders)
