"""Which Python runs the program, and whether TensorFlow and Horovod are there."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..interpreter import command
from .installed import SettingProblem, ask
from .job import Job

TENSORFLOW, HOROVOD = "2.15.1", "0.28.1"
BUILD_TOOLS = ("setuptools", "wheel", "packaging", "cmake<4")
BUILD = "HOROVOD_WITH_TENSORFLOW=1 HOROVOD_WITH_GLOO=1 HOROVOD_WITHOUT_MPI=1"


@dataclass(frozen=True)
class Setting:
    """A Python with TensorFlow and Horovod, and the launcher that belongs to it."""

    python: str
    horovodrun: tuple[str, ...]  # the command that starts workers
    python_version: str = ""
    tensorflow: str | None = None  # versions; None where it is not installed
    horovod: str | None = None
    keras: str | None = None
    tf_keras: str | None = None
    controller: str = "gloo"  # or "mpi"
    controllers: tuple[str, ...] = ()  # what its Horovod was built with, as far as is known


def find(job: Job) -> Setting:
    """The first Python with both, of those that the person is likely to mean.

    `--python`; the one beside the first `horovodrun` on PATH; the `python` on PATH; distify's own.
    Raises SettingProblem, about the likeliest of them, where none will do.
    """
    _check_script(job)
    python, found = likeliest(job.python)
    _check(python, found)
    return _setting(python, found)


def likeliest(named: str | None) -> tuple[str, dict[str, Any]]:
    """The Python that `find` would take, or else its first choice, and what is installed there.

    Raises SettingProblem where no Python can be run.
    """
    first: tuple[str, dict[str, Any]] | None = None
    broken: SettingProblem | None = None
    for python in [_named(named)] if named else dict.fromkeys(_candidates()):
        try:
            found = ask(python)
        except SettingProblem as error:
            broken = broken or error
            continue
        if problem(python, found) is None:
            return python, found
        first = first or (python, found)
    if first is None:
        none = "no Python was found on PATH; name one with --python"
        raise broken or SettingProblem(none)
    return first


def problem(python: str, found: dict[str, Any]) -> str | None:
    """What is missing in a Python and how to install it; None where nothing is."""
    try:
        _check(python, found)
    except SettingProblem as error:
        return str(error)
    return None


def _named(python: str) -> str:
    """A Python by its path, by its name on PATH, or by the folder of its environment."""
    python = os.path.expanduser(python)
    if os.path.isdir(python):
        return os.path.join(python, "bin", "python")
    return shutil.which(python) or python


def _check_script(job: Job) -> None:
    for path in filter(None, (job.script, job.baseline)):
        check_script(path)


def check_script(path: Path) -> None:
    """Raises SettingProblem where there is no such script."""
    if not path.exists():
        raise SettingProblem(f"{path} does not exist")
    if path.is_dir():
        raise SettingProblem(f"{path} is a folder; name the script that trains")
    if not os.access(path, os.R_OK):
        raise SettingProblem(f"{path} can't be read")


def with_tensorflow(named: str | None) -> tuple[str, str]:
    """The first Python that has TensorFlow, whatever else, and its version.

    Raises SettingProblem where none has.
    """
    asked: list[str] = []
    for python in [_named(named)] if named else dict.fromkeys(_candidates()):
        asked.append(python)
        try:
            found = ask(python)
        except SettingProblem:
            if named:
                raise
            continue
        if found["tensorflow"]:
            return python, str(found["tensorflow"])
    which = " nor ".join(asked) or "no Python on PATH"
    raise SettingProblem(f"{which} has TensorFlow: name a Python that has it with --python")


def _candidates() -> Iterator[str]:
    launcher = shutil.which("horovodrun")
    beside = os.path.join(os.path.dirname(launcher), "python") if launcher else ""
    if os.access(beside, os.X_OK):
        yield beside
    yield from filter(None, (shutil.which("python"), shutil.which("python3"), sys.executable))


def _setting(python: str, found: dict[str, Any]) -> Setting:
    return Setting(
        python=python,
        horovodrun=_launcher(python),
        python_version=found["python"],
        tensorflow=found["tensorflow"],
        horovod=found["horovod"],
        keras=found["keras"],
        tf_keras=found["tf_keras"],
        controller="mpi" if found["controllers"] == ["mpi"] else "gloo",
        controllers=tuple(found["controllers"]),
    )


def _check(python: str, found: dict[str, Any]) -> None:
    """One message that names everything missing, and the command that installs it."""
    missing = [
        name
        for name, there in (("TensorFlow", found["tensorflow"]), ("Horovod", found["horovod"]))
        if not there
    ]
    if missing:
        raise SettingProblem(_install(python, found, f"has no {' and no '.join(missing)}"))
    if not found["binding"]:
        raise SettingProblem(_install(python, found, "has a Horovod without TensorFlow support"))


def _install(python: str, found: dict[str, Any], what: str) -> str:
    tensorflow = found["tensorflow"] or TENSORFLOW
    wanted = [] if found["tensorflow"] else [f"tensorflow=={tensorflow}"]
    commands = _patched if at_least(tensorflow, 2, 19) else _released
    return (
        f"{python} {what}. Install it there (a C++ compiler is needed, and five to ten minutes):\n"
        + "".join(f"  {line}\n" for line in commands(python, wanted, bool(found["horovod"])))
        + "or name another Python with --python."
    )


def _released(python: str, wanted: list[str], again: bool) -> Iterator[str]:
    pip = f"{shlex.quote(python)} -m pip install"
    yield f"{pip} {' '.join(map(shlex.quote, [*wanted, *BUILD_TOOLS]))}"
    # pip may keep a wheel that was compiled against another TensorFlow.
    more = "--force-reinstall --no-deps " if again else ""
    path = f"PATH={shlex.quote(os.path.dirname(python))}:$PATH"
    yield f"{path} {BUILD} {pip} --no-cache-dir --no-build-isolation {more}horovod=={HOROVOD}"


def _patched(python: str, wanted: list[str], again: bool) -> Iterator[str]:
    """Horovod as it was released doesn't compile with TensorFlow 2.19 and later."""
    if wanted:
        yield f"{shlex.quote(python)} -m pip install {' '.join(map(shlex.quote, wanted))}"
    yield f"distify install-horovod --python {shlex.quote(python)}"


def at_least(version: str, *wanted: int) -> bool:
    """Whether a version is that new; unknown ones are taken for old."""
    parts = version.split(".")[: len(wanted)]
    return all(part.isdigit() for part in parts) and tuple(map(int, parts)) >= wanted


def _launcher(python: str) -> tuple[str, ...]:
    beside = os.path.join(os.path.dirname(python), "horovodrun")
    if os.access(beside, os.X_OK):
        return (beside,)
    return command("horovod.runner.launch", "run_commandline", python)
