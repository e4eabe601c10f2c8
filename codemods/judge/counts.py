"""counts: what counts the job's steps and what counts a worker's own steps agree.

Decay, boundaries, warm-up, how often something is saved, totals that are shown. Today's check finds
some counts that certainly don't; nothing proves it yet.
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
    return wrapped(case, "counts")
