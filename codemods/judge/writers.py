"""**writers**: every path is written by one worker or is a worker's own, and its readers wait for
it.

Nobody removes what another one still reads. Today's checks find some that meet; nothing proves it
yet. Folders that are written to are shared by all machines, or else each machine has its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .known import wrapped

if TYPE_CHECKING:
    from .case import Case
    from .proof import Proof


def prove(case: Case) -> Iterator[Proof]:
    """What today's checks find."""
    return wrapped(case, "writers")
