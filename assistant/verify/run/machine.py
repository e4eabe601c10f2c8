"""What a machine has for training with Horovod, and what to do about what it lacks."""

from __future__ import annotations

import json
import os
import platform
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any, NamedTuple

from distify import __version__

from ...files.choice import GUESSED, Choice
from ...files.environments import other_backend
from . import program_python
from .installed import SettingProblem

PATIENCE = 120  # seconds; TensorFlow is imported
OK, NOTE, BAD = "ok", "note", "bad"
# Loads Horovod as a program would, and asks what it was built with.
LOADS = """\
import json, os
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import horovod.tensorflow as hvd
built = {"NCCL": hvd.nccl_built, "MPI": hvd.mpi_built, "Gloo": hvd.gloo_built}
print(json.dumps([name for name, asked in built.items() if asked()]))
"""


class Check(NamedTuple):
    """One thing that was looked at: what was found, and what to do where that isn't right."""

    what: str
    found: str
    verdict: str = OK
    todo: str = ""


def checks(named: str | None) -> list[Check]:
    """All that was found, for the Python that `distify verify` would take (or the one named)."""
    found = [Check("distify", f"{__version__} on Python {platform.python_version()}")]
    found.append(Check("machine", f"{platform.platform()}, {os.cpu_count() or 1} cores"))
    found += [] if named else _inside()
    try:
        python, answers, why = program_python.likeliest(named, trusts=False)
    except SettingProblem as error:
        return [*found, Check("Python", "none", BAD, str(error)), *_target("")]
    found.append(Check("Python", f"{answers['python']} ({python}: {why})"))
    found += _packages(python, answers)
    return [*found, *_backend(answers), *_target(answers["tensorflow"]), *_gpus(), *_compilers()]


def _inside() -> Iterator[Check]:
    """An environment of the project, which may have come with a checkout: it isn't run unasked."""
    folder = program_python.unasked()
    if folder:
        todo = f"`distify verify` takes it first; `--python {shlex.quote(folder)}` asks it here"
        yield Check("Project's", folder, NOTE, todo)


def _backend(answers: dict[str, Any]) -> Iterator[Check]:
    """On what Keras 3 runs, where that isn't TensorFlow."""
    other = other_backend()
    if other is not None:
        is_3 = (answers["keras"] or "").startswith("3.")
        todo = f"{other.why}: Horovod for TensorFlow averages nothing there"
        yield Check("Keras on", other.name, BAD if is_3 else NOTE, todo)


def _target(there: str | None) -> Iterator[Check]:
    """What programs in the current folder are written for, and who says so."""
    name, why = Choice((), ()).target(os.getcwd())
    found = f"{name}: {why or GUESSED}"
    wanted = name.split()[1]
    differs = bool(there) and not f"{there}.".startswith(f"{wanted}.")
    todo = f"{there} is installed there: `--tensorflow` or [tool.distify] says which one counts"
    yield Check("Target", found, NOTE if differs else OK, todo if differs else "")


def _packages(python: str, answers: dict[str, Any]) -> Iterator[Check]:
    for what, key in (("TensorFlow", "tensorflow"), ("Keras", "keras"), ("tf_keras", "tf_keras")):
        yield Check(what, answers[key] or "none")
    problem = program_python.problem(python, answers)
    if problem is not None:
        yield Check("Horovod", answers["horovod"] or "none", BAD, problem)
        return
    built, trouble = _built(python, bool(answers["tf_keras"]))
    if trouble:
        command = f"distify install-horovod --python {shlex.quote(python)}"
        text = f"it can't be loaded ({trouble}). Build it anew, for this TensorFlow:\n  {command}"
        yield Check("Horovod", answers["horovod"], BAD, text)
        return
    yield Check("Horovod", f"{answers['horovod']}, built with {', '.join(built) or 'nothing'}")
    if _nvidia() and "NCCL" not in built:
        text = "gradients go through the processor: build it with HOROVOD_GPU_OPERATIONS=NCCL"
        yield Check("NCCL", "none", NOTE, text)


def _built(python: str, is_legacy: bool) -> tuple[list[str], str]:
    """What Horovod was built with, or why it can't be loaded."""
    command = [python, "-c", LOADS]
    environment = {**os.environ, "TF_USE_LEGACY_KERAS": str(int(is_legacy))}
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
            env=environment,
            cwd=os.path.abspath(os.sep),  # nothing of the current folder is imported
        )
        built = json.loads(done.stdout.strip().rpartition("\n")[2] or "null")
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        return [], str(error)
    if not isinstance(built, list):
        return [], done.stderr.strip().rpartition("\n")[2] or f"exit code {done.returncode}"
    return list(map(str, built)), ""


def _nvidia() -> list[str]:
    """A line for each GPU of NVIDIA's that the driver knows."""
    return [line for line in _output_of("nvidia-smi", "-L").splitlines() if line.startswith("GPU ")]


def _gpus() -> Iterator[Check]:
    found = [line.partition(" (UUID")[0] for line in _nvidia()]
    text = "; ".join(found) or "none; workers share the processor"
    yield Check("GPUs", text)


def _compilers() -> Iterator[Check]:
    """What Horovod is compiled with; without it, only an installed one can be used."""
    for what, way in (("g++", "a C++ compiler"), ("cmake", "CMake below 4")):
        found = _output_of(what, "--version").partition("\n")[0]
        missing = f"{way} is needed where Horovod has to be built"
        yield Check(what, found or "none", OK if found else NOTE, "" if found else missing)


def _output_of(*command: str) -> str:
    """What a program of the system says; nothing where it is not there or fails."""
    program = shutil.which(command[0])
    if program is None:
        return ""
    try:
        done = subprocess.run(
            [program, *command[1:]],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
