"""`.distify_cache/` of a project: small files of answers, each written whole; safe to delete.

Another folder under this name, one that came with a checkout, an archive or a link, is not
believed: each answer names the stamp of the folder that it was written into, which is nowhere else.
"""

from __future__ import annotations

import contextlib
import os
import stat

NAME = ".distify_cache"
IGNORING = b"# What distify knows of files that it has looked at; safe to delete.\n*\n"
MOST = 250_000  # bytes of an answer
LARGE = 16_000_000  # of what is kept for a whole project
FULL = 5_000  # answers, or
HEAVY = 50_000_000  # bytes of them: the older half goes
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_BINARY = getattr(os, "O_BINARY", 0)


class Folder:
    """The cache of one project; whatever goes wrong with it, there is none."""

    def __init__(self, root: str) -> None:
        self.path = os.path.join(root, NAME)
        self._stamp: list[int] | None = None
        self._is_swept = False

    def stamp(self) -> list[int]:
        """What tells this folder from each copy of it. Raises OSError where there is none."""
        if self._stamp is None:
            if not stat.S_ISDIR(os.lstat(self.path).st_mode):
                raise OSError("no folder")
            data, status = self._read(".gitignore")
            if data != IGNORING:
                raise OSError("not ours")
            self._stamp = [status.st_ino, status.st_mtime_ns]
        return self._stamp

    def read(self, name: str, most: int = MOST) -> bytes:
        """The bytes of an answer. Raises OSError."""
        self.stamp()
        return self._read(name, most)[0]

    def write(self, name: str, data: bytes, most: int = MOST) -> None:
        """Put an answer into the folder that has a stamp, if that can be done."""
        if len(data) <= most:
            with contextlib.suppress(OSError):
                self._put(name, data)
                self._sweep()

    def begin(self) -> bool:
        """Whether there is a folder, which is made if there was none."""
        with contextlib.suppress(OSError):
            self.stamp()
            return True
        with contextlib.suppress(OSError):
            with contextlib.suppress(FileExistsError):
                os.mkdir(self.path)
            if stat.S_ISDIR(os.lstat(self.path).st_mode):
                self._put(".gitignore", IGNORING)
                self.stamp()
                return True
        return False

    def _read(self, name: str, most: int = MOST) -> tuple[bytes, os.stat_result]:
        with open(os.open(os.path.join(self.path, name), _READ | _BINARY), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_size > most:
                raise OSError("not ours")
            return file.read(most), status

    def _put(self, name: str, data: bytes) -> None:
        """Give a name these bytes at once: who reads it has the old ones or the new ones."""
        path = os.path.join(self.path, name)
        new = f"{path}.{os.getpid()}.new"
        try:
            with open(os.open(new, _WRITE | _BINARY, 0o666), "wb") as file:
                file.write(data)
            os.replace(new, path)
        finally:
            with contextlib.suppress(OSError):
                os.unlink(new)

    def _sweep(self) -> None:
        """Take the older half out of a folder that is full; asked once a run."""
        if self._is_swept:
            return
        self._is_swept = True
        with os.scandir(self.path) as entries:
            found = [(e.stat(follow_symlinks=False), e) for e in entries if e.name[0] != "."]
        if len(found) <= FULL and sum(status.st_size for status, _ in found) <= HEAVY:
            return
        found.sort(key=lambda each: each[0].st_mtime_ns)
        for _, entry in found[: len(found) // 2 + 1]:
            with contextlib.suppress(OSError):
                os.unlink(entry.path)
