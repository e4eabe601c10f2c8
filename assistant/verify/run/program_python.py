"""Which Python runs the program, and whether TensorFlow and Horovod are there."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, NamedTuple

from ...files.environments import OWN, environments
from ...files.requirements import folders_of
from ...interpreter import command
from .installed import SettingProblem, ask
from .job import Job

HOROVOD = "0.28.1"
# The TensorFlow that suits Horovod best, of those that there are for a Python from this one on.
SUITABLE = (((3, 14), ""), ((3, 12), "2.20.0"), ((3, 9), "2.15.1"), ((0, 0), ""))
NO_TENSORFLOW = "there is no TensorFlow that Horovod is known to work with for Python {}"


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

    `--python`; those of the environments that are active or the project's; the one beside the first
    `horovodrun` on PATH; the `python` on PATH; distify's own.
    Raises SettingProblem, about the likeliest of them, where none will do.
    """
    _check_script(job)
    likely = likeliest(job.python)
    _check(likely.python, likely.found)
    return _setting(likely.python, likely.found)


class Likely(NamedTuple):
    """A Python that may be meant, what is installed there, and why it may be the one."""

    python: str
    found: dict[str, Any]
    why: str


def likeliest(named: str | None, *, trusts: bool = True) -> Likely:
    """The Python that `find` would take, or else its first choice.

    A Python that lies in the project is only run where it `trusts` that, as a command does that
    runs the program itself. Raises SettingProblem where no Python can be run.
    """
    return _best(
        _pythons_to_try(named, trusts), lambda each: problem(each.python, each.found) is None
    )


def with_tensorflow(named: str | None) -> Likely:
    """The first outside of the project that has TensorFlow, to build for; or else the first.

    Raises SettingProblem where no Python can be run.
    """
    return _best(_pythons_to_try(named, False), lambda each: bool(each.found["tensorflow"]))


def _pythons_to_try(named: str | None, trusts: bool) -> Iterator[tuple[str, str]]:
    yield from [(_python_at(named), "it was named")] if named else _candidates(trusts)


def unasked() -> str:
    """The environment in the project that `find` would ask first; "" where there is none."""
    known = environments(folders_of(os.getcwd()))
    return next((each.folder for each in known if each.is_inside and each.python), "")


def _best(candidates: Iterable[tuple[str, str]], is_right: Callable[[Likely], bool]) -> Likely:
    first: Likely | None = None
    broken: SettingProblem | None = None
    seen = set[str]()
    for python, why in candidates:
        if python in seen:
            continue
        seen.add(python)
        try:
            likely = Likely(python, ask(python), why)
        except SettingProblem as error:
            broken = broken or error
            continue
        if is_right(likely):
            return likely
        first = first or likely
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


def _python_at(python: str) -> str:
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


def that_races(named: str | None) -> tuple[str, str]:
    """The first Python that has TensorFlow, whatever else, and its version.

    Raises SettingProblem where none has.
    """
    found = _best(_pythons_to_try(named, True), lambda each: bool(each.found["tensorflow"]))
    if not found.found["tensorflow"]:
        none = f"{found.python} has no TensorFlow: name a Python that has it with --python"
        raise SettingProblem(none)
    return found.python, str(found.found["tensorflow"])


def _candidates(trusts: bool) -> Iterator[tuple[str, str]]:
    """The Pythons that may be meant, the likeliest first, and why each of them may be."""
    known = [e for e in environments(folders_of(os.getcwd())) if trusts or not e.is_inside]
    yield from ((each.python, each.why) for each in known if each.python and each.why != OWN)
    launcher = shutil.which("horovodrun")
    beside = os.path.join(os.path.dirname(launcher), "python") if launcher else ""
    if os.access(beside, os.X_OK):
        yield beside, "horovodrun lies beside it"
    for name in ("python", "python3"):
        if path := shutil.which(name):
            yield path, "it is on PATH"
    if sys.executable:
        yield sys.executable, OWN


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


def suitable(python_version: str) -> str:
    """The TensorFlow to install for a Python; "" where there is none that will do."""
    have = tuple(int(part) for part in python_version.split(".")[:2])
    return next(version for oldest, version in SUITABLE if have >= oldest)


def _install(python: str, found: dict[str, Any], what: str) -> str:
    if not (found["tensorflow"] or suitable(found["python"])):
        why = NO_TENSORFLOW.format(found["python"])
        return f"{python} {what}, and {why}: name one of Python 3.9 to 3.13 with --python."
    return (
        f"{python} {what}. Install it there (a C++ compiler is needed, and five to ten minutes):\n"
        f"  distify install-horovod --python {shlex.quote(python)}\n"
        "or name another Python with --python."
    )


def at_least(version: str, *wanted: int) -> bool:
    """Whether a version is that new; unknown ones are taken for old."""
    parts = version.split(".")[: len(wanted)]
    return all(part.isdigit() for part in parts) and tuple(map(int, parts)) >= wanted


def _launcher(python: str) -> tuple[str, ...]:
    beside = os.path.join(os.path.dirname(python), "horovodrun")
    if os.access(beside, os.X_OK):
        return (beside,)
    return command("horovod.runner.launch", "run_commandline", python)
