"""update: all else that reaches an update is the same on all workers.

Rates, schedules, weights that are set, masks, loss scale, which step is taken, when it ends.
Today's checks ask for a proof of some of it; nothing proves all of it yet.
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
    return wrapped(case, "update")
