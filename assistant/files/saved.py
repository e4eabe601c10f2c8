"""Files that distify keeps for itself or a team: written as a whole, or left as they were."""

from __future__ import annotations

import os

from .reader import NotRead, leads_out, read
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
