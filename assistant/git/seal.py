"""The key that tells what distify kept in a repository from what came with a checkout.

Whatever decides what is written, moved or removed (the journal of a move, the record of a series)
lies in git's folder, and an archive of a checkout may hold one. So each carries a seal that only
who has the key can make; the key lies in the person's own folder of state, and in no repository.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from functools import cache

from ..files.state_folder import folder
from .guard import KEY_BYTES

NAME = "key"
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL


def key() -> bytes:
    """The person's key, made where there is none yet.

    Where none can be kept (a home that can't be written), it is one of this process alone: what it
    seals is foreign to the next run, which names it and leaves it.
    """
    return _key(folder())


@cache
def _key(place: str) -> bytes:
    path = os.path.join(place, NAME)
    for make in (False, True):
        with contextlib.suppress(OSError):
            if make:
                _make(place, path)
            return _own(path)
    return secrets.token_bytes(KEY_BYTES)


def _own(path: str) -> bytes:
    """The key in a file that nobody else can have written or read. Raises OSError."""
    with open(os.open(path, _READ | getattr(os, "O_BINARY", 0)), "rb") as file:
        status = os.fstat(file.fileno())
        foreign = hasattr(os, "geteuid") and status.st_uid != os.geteuid()
        shared = os.name == "posix" and status.st_mode & 0o077
        if not stat.S_ISREG(status.st_mode) or foreign or shared:
            raise OSError("not a key of one's own")
        found = file.read(KEY_BYTES + 1)
    if len(found) != KEY_BYTES:
        raise OSError("no key")
    return found


def _make(place: str, path: str) -> None:
    """Puts a key there, unless another run is faster. Raises OSError."""
    os.makedirs(place, mode=0o700, exist_ok=True)
    new = f"{path}.{os.getpid()}.{secrets.token_hex(4)}"
    try:
        with open(os.open(new, _WRITE | getattr(os, "O_BINARY", 0), 0o600), "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            _name(new, path)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(new)


def _name(new: str, path: str) -> None:
    """Names the file `path` as well. Raises FileExistsError where that is there."""
    try:
        os.link(new, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        os.rename(new, path)
