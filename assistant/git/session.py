"""One change of a repository from its first trace to its last, watched by a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import stat
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import IO, Any

from ..files.signals import undisturbed
from . import guard, seal
from .command import Refused
from .refusals import Head
from .repository import Repository

try:
    import fcntl
except ImportError:  # Windows: the next run takes back what a killed one left
    fcntl = None  # type: ignore[assignment]

PATIENCE = 5.0  # seconds for the guard of a run that was killed a moment ago


def silently(doing: str) -> None:
    """Tells nobody what is being done."""


class Session:
    """Holds the lock, the journal and the guard; whatever ends it, `guard.recover` has run.

    `tell` is called with what is being done wherever that may take long.
    """

    def __init__(self, repository: Repository, tell: Callable[[str], None] = silently) -> None:
        self.repository, self.tell = repository, tell
        self.home = os.path.join(repository.git_dir, "distify")
        self.folder = os.path.join(self.home, "run")
        self.token = uuid.uuid4().hex
        self.key = seal.key()
        self.fds: tuple[int, ...] = ()
        self._open = contextlib.ExitStack()
        self._guard: subprocess.Popen[bytes] | None = None
        self._journal: dict[str, Any] = {}

    def __enter__(self) -> Session:
        with self._open:
            lock = self._lock()
            self._recover(self.repository.top)  # what a killed run left
            self._begin(lock)
            self._open = self._open.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        interrupted = kind is not None and not issubclass(kind, Exception)
        with undisturbed(), self._open:
            if interrupted and self._guard is not None:
                self._leave_to(self._guard)
            else:
                self._recover()
                self._dismiss_guard()

    def _recover(self, top: str = "") -> None:
        """Raises Refused for what another person's distify left, or a checkout brought along."""
        try:
            guard.recover(self.folder, self.key, top)
        except guard.NotOurs as error:
            raise Refused(
                f"{self.folder} is left as it is, since it was not written by your distify "
                f"({error}): look at `git status`, and remove the folder if nobody else's distify "
                "was killed here"
            ) from None

    def note(self, before: Head, after: Head | None = None, **plan: Any) -> None:
        """Writes down what is going to be done; from now on it can be taken back."""
        self._journal.update(plan)
        self._journal.update(
            top=self.repository.top,
            folder=self.repository.git_dir,
            index=os.path.abspath(self.repository.index),
            token=self.token,
            before=[before.commit, before.branch],
            after=[after.commit, after.branch] if after else None,
        )
        path = os.path.join(self.folder, "journal")
        with open(path + ".new", "wb") as file:
            file.write(guard.sealed(self.key, json.dumps(self._journal).encode("ascii")))
            file.flush()
            os.fsync(file.fileno())
        os.replace(path + ".new", path)
        sync(self.folder)  # a power cut must not lose it, and keep what comes after it

    def run(
        self, *arguments: str, data: bytes = b"", env: Mapping[str, str] | None = None
    ) -> bytes:
        """A git command that the guard waits for before it takes anything back."""
        return self.repository.run(*arguments, data=data, env=env, pass_fds=self.fds)

    def _lock(self) -> IO[bytes]:
        file = self._open.enter_context(os.fdopen(self._lock_file(), "rb"))
        until = time.monotonic() + PATIENCE
        while fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                if time.monotonic() > until:
                    raise Refused("another distify is at work here: wait for it") from None
                time.sleep(0.05)
        return file

    def _lock_file(self) -> int:
        """Raises Refused where something else stands in its place, as a pipe or a link."""
        path = os.path.join(self.home, "lock")
        own = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        try:
            os.makedirs(self.home, exist_ok=True)
            if not stat.S_ISDIR(os.lstat(self.home).st_mode):
                raise Refused(f"{self.home} is no folder: remove it")
            handle = os.open(path, os.O_RDWR | os.O_CREAT | own, 0o666)
        except OSError as error:
            raise Refused(f"{path} can't be opened: {error.strerror}; remove it") from None
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise Refused(f"{path} is no file: remove it")
        return handle

    def _begin(self, lock: IO[bytes]) -> None:
        try:
            os.mkdir(self.folder)
            self._start_guard(lock)
        except BaseException:
            with undisturbed():
                self._recover()
            raise

    def _start_guard(self, lock: IO[bytes]) -> None:
        if os.name != "posix":
            return
        alive, busy = os.pipe(), os.pipe()
        self._guard = subprocess.Popen(
            [sys.executable, "-I", "-S", guard.__file__, self.folder, str(busy[0])],
            stdin=alive[0],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(busy[0], lock.fileno()),  # the lock holds until the guard is gone, too
            start_new_session=True,  # what ends the terminal's programs does not end it
            cwd=self.repository.git_dir,
        )
        _close([alive[0], busy[0]])
        self._alive = alive[1]
        with contextlib.suppress(BrokenPipeError):
            os.write(self._alive, self.key)  # everybody sees its arguments
        self.fds = (busy[1],)
        self._open.callback(_close, [alive[1], busy[1]])

    def _leave_to(self, guarding: subprocess.Popen[bytes]) -> None:
        """The guard waits for hooks that are still at work, which would write where all is gone.

        Nobody waits long for the guard: it goes on alone, and the next run waits for it.
        """
        self._open.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            guarding.wait(PATIENCE)

    def _dismiss_guard(self) -> None:
        if self._guard is None:
            return
        with contextlib.suppress(BrokenPipeError):  # somebody has killed it
            os.write(self._alive, guard.DONE)
        self._guard.wait()


def _close(handles: Sequence[int]) -> None:
    for handle in handles:
        os.close(handle)


def sync(folder: str) -> None:
    """Has the names in a folder outlast a power cut, where the system can do that."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
