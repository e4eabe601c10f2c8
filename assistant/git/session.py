"""One change of a repository from its first trace to its last, watched by a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import IO, Any

from ..files.signals import undisturbed
from . import guard
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
        self.fds: tuple[int, ...] = ()
        self._open = contextlib.ExitStack()
        self._guard: subprocess.Popen[bytes] | None = None
        self._journal: dict[str, Any] = {}

    def __enter__(self) -> Session:
        os.makedirs(self.home, exist_ok=True)
        with self._open:
            lock = self._lock()
            guard.recover(self.folder, self.repository.top)  # what a killed run left
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
                guard.recover(self.folder)
                self._dismiss_guard()

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
        with open(path + ".new", "w", encoding="ascii") as file:
            json.dump(self._journal, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(path + ".new", path)

    def run(
        self, *arguments: str, data: bytes = b"", env: Mapping[str, str] | None = None
    ) -> bytes:
        """A git command that the guard waits for before it takes anything back."""
        return self.repository.run(*arguments, data=data, env=env, pass_fds=self.fds)

    def _lock(self) -> IO[bytes]:
        path = os.path.join(self.home, "lock")
        file = self._open.enter_context(open(path, "ab"))  # noqa: SIM115
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

    def _begin(self, lock: IO[bytes]) -> None:
        try:
            os.mkdir(self.folder)
            self._start_guard(lock)
        except BaseException:
            with undisturbed():
                guard.recover(self.folder)
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
