"""A trial of what a file is to be: `distify verify` on it in a copy of its project."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence

from .. import interpreter
from ..files.outcome import Outcome
from ..files.reader import repository
from ..files.source_names import NEVER

LARGEST = 1_000_000  # bytes of a file that is copied; a larger one is data, which is linked to
STEPS = "20"


def run(outcome: Outcome, arguments: Sequence[str]) -> int:
    """The exit code of `distify verify` on what the file would be written as now.

    It runs from the same folder as this walk; what it writes is gone afterwards. Raises OSError.
    """
    path = os.path.realpath(outcome.target.path)
    here, root = _folders(path)
    with _copy(root) as copied:
        script = os.path.join(copied, os.path.relpath(path, root))
        for each in outcome.files:
            own = os.path.relpath(os.path.realpath(each.target.path), root)
            if each.after is not None or each.target == outcome.target:
                with open(os.path.join(copied, own), "wb") as file:
                    file.write(each.after or b"")
        there = os.path.normpath(os.path.join(copied, os.path.relpath(here, root)))
        command = [*interpreter.command("distify.assistant.__main__", "main")]
        command += ["verify", "--limit-steps", STEPS]
        command += [os.path.relpath(script, there), "--", *arguments]
        return subprocess.run(command, cwd=there, check=False).returncode


def _folders(path: str) -> tuple[str, str]:
    """Where the program runs, and what is copied: the repository, or the folder of the walk."""
    here = os.path.realpath(os.getcwd())
    root = repository(here) or here
    if path.startswith(os.path.join(root, "")):
        return here, root
    return os.path.dirname(path), os.path.dirname(path)


@contextlib.contextmanager
def _copy(root: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="distify-trial-") as folder:
        copied = os.path.join(folder, os.path.basename(root))
        shutil.copytree(root, copied, copy_function=_put, ignore=_names_to_skip, symlinks=True)
        yield copied


def _put(source: str, place: str) -> None:
    if os.path.getsize(source) > LARGEST:
        os.symlink(source, place)
    else:
        shutil.copy2(source, place)


def _names_to_skip(folder: str, names: list[str]) -> list[str]:
    """What no program needs: environments, caches, the repository's own, pipes and sockets."""
    return [name for name in names if name in NEVER or name == ".git" or _is_odd(folder, name)]


def _is_odd(folder: str, name: str) -> bool:
    path = os.path.join(folder, name)
    if os.path.isdir(path):
        return os.path.lexists(os.path.join(path, "pyvenv.cfg"))
    return not (os.path.isfile(path) or os.path.islink(path))
