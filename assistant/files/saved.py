"""Files that distify keeps for itself or a team: written as a whole, or left as they were."""

from __future__ import annotations

import os
import stat

from .reader import NotRead, kind, leads_out, read, repository
from .writes import Change, WriteFailed, create, write_all

MOST = 50_000_000  # bytes


class NotSaved(Exception):
    """Why a file was not written, in words that follow its name."""


def save(path: str, data: bytes, *, makes_folder: bool = False) -> None:
    """Gives the file these bytes, and a new folder if it may. Raises NotSaved."""
    real = os.path.realpath(path)
    try:
        before = read(path, MOST) if os.path.exists(path) else None
        if lead := leads_out(path):
            raise NotRead(lead)
        if makes_folder:  # others have no business in it
            os.makedirs(os.path.dirname(real), mode=0o700, exist_ok=True)
        if before is None:
            create(real, data)
        elif before != data:
            write_all([Change(real, before, data)])
    except (NotRead, WriteFailed) as error:
        raise NotSaved(str(error)) from None
    except OSError as error:
        raise NotSaved(error.strerror or str(error)) from None


def obstacle(path: str) -> str:
    """Why a report is not written there, in words that follow the name; empty where it may be.

    A checkout may hold a link by that name, to any file of the person's, or a pipe.
    """
    folder = os.path.dirname(os.path.abspath(path))
    root = repository(folder)
    if root and not os.path.join(os.path.realpath(folder), "").startswith(
        os.path.join(os.path.realpath(root), "")
    ):
        return f"lies behind a link that leads out of {root}"
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return ""
    if stat.S_ISLNK(mode):
        return "is a link"
    return "" if stat.S_ISREG(mode) else kind(mode)


def put(path: str, data: bytes, *, forced: bool = False) -> None:
    """Gives a report its name when all of it is written. Raises NotSaved.

    `forced`: into whatever is there, as a shell's `>` would.
    """
    try:
        if forced and os.path.lexists(path):
            with open(path, "wb") as file:
                file.write(data)
            return
        if why := obstacle(path):
            raise NotSaved(f"{why} (--force-report writes into it)")
        mode = stat.S_IMODE(os.lstat(path).st_mode) if os.path.lexists(path) else None
        create(os.path.abspath(path), data)
        if mode is not None:
            os.chmod(path, mode)
    except WriteFailed as error:
        raise NotSaved(error.cause) from None
    except OSError as error:
        raise NotSaved(error.strerror or str(error)) from None
