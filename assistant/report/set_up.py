"""What has to be installed or activated here before a job can start: by what lies there, unrun."""

from __future__ import annotations

import glob
import os
import shlex
import shutil
from collections.abc import Iterator

from ..files import project_packages
from ..files.environments import OWN, Environment, environments
from ..files.requirements import folders_of

HOROVOD = "Horovod is not installed there yet: five to ten minutes"
NEW = ".venv"
# https://packaging.python.org/en/latest/specifications/externally-managed-environments/
MANAGED = os.path.join("lib", "python3*", "EXTERNALLY-MANAGED")


def set_up(converts: bool = False) -> Iterator[tuple[str, str]]:
    """Commands, each with a remark, in order; `converts`: notebooks are made scripts, too."""
    yield from _with_horovod()
    if converts and not (shutil.which("jupyter") and shutil.which("ipython")):
        yield "python -m pip install nbconvert ipython", "they make a script of a notebook"


def _with_horovod() -> Iterator[tuple[str, str]]:
    """None where `horovodrun` can be called already."""
    if shutil.which("horovodrun"):
        return
    known = [each for each in environments(folders_of(os.getcwd())) if each.python]
    ready = next((each for each in known if project_packages.has_horovod(each.folder)), None)
    if ready is not None:
        yield from _activation(ready.folder)
        return
    meant = _python_meant([each for each in known if each.why != OWN])
    if meant is None and not _is_managed():
        yield "distify install-horovod", HOROVOD
        return
    if meant is None:
        yield f"python3 -m venv {NEW}", "the system's Python takes no packages"
    folder = os.path.abspath(NEW) if meant is None else meant.folder
    yield f"distify install-horovod --python {_short(folder)}", HOROVOD
    yield from _activation(folder)


def _python_meant(known: list[Environment]) -> Environment | None:
    """The first that has TensorFlow, or else the first."""
    trains = (each for each in known if project_packages.has_tensorflow(each.folder))
    return next(trains, known[0] if known else None)


def _is_managed() -> bool:
    """Whether the Python on PATH, which would be taken, is kept by the system alone."""
    python = shutil.which("python") or shutil.which("python3")
    if python is None:
        return True
    prefix = os.path.dirname(os.path.dirname(os.path.realpath(python)))
    is_own = os.path.exists(os.path.join(os.path.dirname(os.path.dirname(python)), "pyvenv.cfg"))
    return not is_own and bool(glob.glob(os.path.join(glob.escape(prefix), MANAGED)))


def _activation(folder: str) -> Iterator[tuple[str, str]]:
    """So that `horovodrun` and `python` are those of this environment; nothing where they are."""
    binaries = os.path.join(folder, "bin")
    if binaries in os.environ.get("PATH", "").split(os.pathsep):
        return
    script = os.path.join(binaries, "activate")
    if os.path.exists(script) or folder == os.path.abspath(NEW):
        yield f"source {_short(script)}", ""
    else:
        yield f'export PATH={shlex.quote(binaries)}:"$PATH"', ""


def _short(path: str) -> str:
    """A path for the shell, as short as it can be said from here."""
    return shlex.quote(min(path, os.path.relpath(path), key=len))
