"""The one way in which git is called: arguments as a list, never through a shell."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..files.signals import undisturbed

if TYPE_CHECKING:
    from git.cmd import Git

LITERALLY = {"GIT_LITERAL_PATHSPECS": "1"}
# A monitor of files inherits git's standard input, and what it eats of that git never reads.
QUIET = ("-c", "core.fsmonitor=false")
PAUSE = 0.5  # seconds
PATIENCE = 5.0  # seconds for a command that is to end


class Refused(Exception):
    """Why nothing was done, and what to do about it; nothing has changed."""


class GitFailed(Refused):
    """A git command failed; the message holds git's own words."""

    def __init__(
        self, arguments: Sequence[str], status: int, words: str, output: bytes = b""
    ) -> None:
        self.status, self.words, self.output = status, words.strip(), output
        super().__init__(f"git {_command(arguments)} {_how(status, self.words)}")


def _how(status: int, words: str) -> str:
    if status < 0:
        return (
            f"was ended by signal {-status}: git may have left a lock "
            f"(`HEAD.lock` and the like), which it names when it is next called\n{words}"
        ).strip()
    return f"failed ({status}): {words or 'it said nothing'}"


def _command(arguments: Sequence[str]) -> str:
    """The command among the arguments; the word after `-c` is a setting."""
    previous = ""
    for word in arguments:
        if previous != "-c" and not word.startswith("-"):
            return word
        previous = word
    return ""


def git(
    folder: str,
    *arguments: str,
    data: bytes = b"",
    env: Mapping[str, str] | None = None,
    pass_fds: Sequence[int] = (),
) -> bytes:
    """What a git command wrote, byte for byte. Raises GitFailed.

    `env` adds variables, `pass_fds` lets the command inherit files.
    """
    try:
        from git import Git
    except ImportError as error:  # GitPython looks for git as soon as it is imported
        raise Refused("git was not found: install it, or put it on the PATH") from error
    process = Git(folder).execute(
        ["git", *QUIET, *arguments],
        as_process=True,
        istream=subprocess.PIPE,
        env={**_language(), **(env or {})},
        pass_fds=pass_fds,
    )
    try:
        output, words = _output_until_end(process, data)
    except BaseException:
        _end(process)
        raise
    if process.returncode:
        raise GitFailed(arguments, process.returncode, words.decode("utf-8", "replace"), output)
    return bytes(output)


def _output_until_end(process: Git.AutoInterrupt, data: bytes) -> tuple[bytes, bytes]:
    """What a command wrote until it ended; what a hook of it left running may write for hours."""
    given: bytes | None = data
    ended = False
    while True:
        try:
            output, words = process.communicate(given, timeout=PAUSE)
            return output, words
        except subprocess.TimeoutExpired as late:
            if ended:  # for a whole pause: all that it wrote has been read
                return late.output or b"", late.stderr or b""
            given, ended = None, process.poll() is not None


def _end(process: Git.AutoInterrupt) -> None:
    """Ends a command that is interrupted; what it works on is taken back only afterwards.

    An interrupt may leave a lock of `subprocess` taken, for which GitPython would wait for ever as
    it throws the process away: so it gets none to wait for, and the system is asked instead.
    """
    command = process.proc
    if os.name != "posix" or command is None or command.returncode is not None:
        return
    with undisturbed(), contextlib.suppress(OSError):  # its end is known already
        process.proc = None
        until = time.monotonic() + PATIENCE
        while not _has_ended(command) and time.monotonic() < until:
            os.kill(command.pid, signal.SIGTERM)
            time.sleep(0.01)


def _has_ended(command: subprocess.Popen[bytes]) -> bool:
    ended, status = os.waitpid(command.pid, os.WNOHANG)
    if ended:
        command.returncode = status
    return bool(ended)


def _language() -> dict[str, str]:
    """GitPython sets another language, which the user's hooks would get, too."""
    return {name: os.environ.get(name, "") for name in ("LC_ALL", "LANGUAGE")}
