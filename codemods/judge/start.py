"""start: every trained variable and slot equals worker 0's before its second use at the latest.

Weights and slots together, before the first use wherever variables exist or can be built, and again
behind whatever sets them by itself (a restore, `set_weights`). Today's checks find where that is
certainly not so; nothing proves it yet.
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
    return wrapped(case, "start")
