"""What is installed in a Python, asked in a process of it that imports none of it."""

from __future__ import annotations

import json
import subprocess
from typing import Any

PATIENCE = 60  # seconds; a network file system may be slow
# Asks without importing anything of TensorFlow's or Horovod's, and nothing of the current folder's.
QUESTION = """\
import sys
sys.path[:] = [path for path in sys.path if path not in ("", ".")]
import glob, json, mmap, os, sysconfig
try:
    from importlib import metadata
except ImportError:  # Python 3.7, on which TensorFlow 1.15 runs
    import importlib_metadata as metadata
from importlib.util import find_spec

def version(module, *names):
    spec = find_spec(module)
    if spec is None or spec.origin is None and not spec.submodule_search_locations:
        return None
    for name in names:
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            pass
    return "of an unknown version"

def libraries():
    folders = find_spec("horovod").submodule_search_locations or ()
    names = [os.path.join(folder, "tensorflow", "mpi_lib*.so") for folder in folders]
    return [path for name in names for path in glob.glob(name)]

def controllers(path):
    if not os.path.getsize(path):
        return []
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as library:
        names = {"gloo": b"GlooController", "mpi": b"MPIController"}
        return [name for name, word in names.items() if library.find(word) >= 0]

horovod = version("horovod", "horovod")
bindings = libraries() if horovod else []
print(json.dumps({
    "python": "%d.%d.%d" % sys.version_info[:3],
    "tensorflow": version("tensorflow", "tensorflow", "tensorflow-cpu", "tensorflow-gpu",
        "tensorflow-macos", "intel-tensorflow", "tf-nightly", "tf-nightly-cpu"),
    "horovod": horovod,
    "keras": version("keras", "keras"),
    "tf_keras": version("tf_keras", "tf-keras"),
    "binding": bool(bindings),
    "controllers": controllers(bindings[0]) if bindings else [],
    "managed": sys.prefix == sys.base_prefix
        and os.path.exists(os.path.join(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED")),
}))
"""


class SettingProblem(Exception):
    """Why the program can't be run, and what to do about it, in one message."""


def ask(python: str) -> dict[str, Any]:
    """The answers to QUESTION. Raises SettingProblem where this Python can't be run."""
    try:
        done = subprocess.run(
            [python, "-c", QUESTION],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        answer = json.loads(done.stdout.strip().rpartition("\n")[2] or "null")
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise SettingProblem(f"{python} can't be run: {error}") from None
    if not isinstance(answer, dict):
        reason = done.stderr.strip().rpartition("\n")[2] or f"exit code {done.returncode}"
        raise SettingProblem(f"{python} can't be run: {reason}")
    return answer
