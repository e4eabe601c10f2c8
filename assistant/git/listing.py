"""Which files git would show of a folder: the tracked ones, and the others that it doesn't ignore.

The repository may be anybody's, so nothing that its settings name is run: no monitor of files, no
hook, and no server is asked for what a partial clone lacks. A pipe, or gigabytes, in the place of
what git reads could keep it from ending: such repositories are left to the walk over folders.
"""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Iterator
from typing import NamedTuple

from ..files.gitignore import git_folders
from ..files.reader import MOST
from .environment import leaks

COMMAND = (
    "git",
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("ls-files", "--cached", "--others", "--exclude-standard", "-z"),
)
NOTHING_RUNS = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
# What git reads of its own folder before it looks at any file.
OWN = ("HEAD", "config", "config.worktree", "commondir", "index", "info/exclude")
IGNORES = (".gitignore", "exclude")
PATIENCE = 0.2  # seconds, after which it is looked for what git may be waiting for
LIMIT = 120.0  # seconds for the largest repositories


class Listing(NamedTuple):
    """What git shows: absolute paths of files, links and nested repositories; their folders."""

    files: frozenset[str]
    folders: frozenset[str]


def listing(folder: str, root: str) -> Listing | None:
    """What git shows of an absolute folder in the work tree `root`; None where it can't say.

    An ignored folder is none of git's business: who names one means what is in it.
    """
    if any(map(_keeps_busy, _own_files(root))) or _is_ignored(folder, root):
        return None
    output = _output(folder, *COMMAND)
    if output is None:
        return None
    names = (os.fsdecode(name).rstrip("/") for name in output.split(b"\0") if name)
    files = frozenset(os.path.join(folder, *name.split("/")) for name in names)
    return Listing(files, frozenset(_folders(folder, files)))


def _folders(top: str, files: frozenset[str]) -> Iterator[str]:
    seen = {top}
    for file in files:
        folder = os.path.dirname(file)
        while folder not in seen:
            seen.add(folder)
            yield folder
            folder = os.path.dirname(folder)


def _own_files(root: str) -> Iterator[str]:
    yield from (os.path.join(root, name) for name in (".git", ".gitignore"))
    for folder in git_folders(root):
        yield from (os.path.join(folder, *name.split("/")) for name in OWN)


def _keeps_busy(path: str) -> bool:
    """Whether reading a path may never end, or as good as never."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return False
    if stat.S_ISREG(status.st_mode):
        return status.st_size > MOST and os.path.basename(path) in IGNORES
    return not stat.S_ISDIR(status.st_mode)


def _is_ignored(folder: str, root: str) -> bool:
    if folder == root:
        return False
    question = (*COMMAND[:5], "check-ignore", "--no-index", "-z", "--stdin")
    return bool(_output(root, *question, data=os.fsencode(folder) + b"\0"))


def _output(folder: str, *command: str, data: bytes = b"") -> bytes | None:
    """What git wrote; None where it failed, or waits for a pipe."""
    known = {name: value for name, value in os.environ.items() if not leaks(name)}
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**known, **NOTHING_RUNS},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError:  # no git
        return None
    with process:
        try:
            return _answer(process, folder, data)
        finally:
            process.kill()


def _answer(process: subprocess.Popen[bytes], folder: str, data: bytes) -> bytes | None:
    try:
        output, _ = process.communicate(data, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        if any(_odd_ignores(folder)):
            return None
        try:
            output, _ = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return None
    return output if process.returncode == 0 else None


def _odd_ignores(folder: str) -> Iterator[str]:
    """The folders at and below one whose ignore file git may be waiting at."""
    for here, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        if ".gitignore" in names and _keeps_busy(os.path.join(here, ".gitignore")):
            yield here
