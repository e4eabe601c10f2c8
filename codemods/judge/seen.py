"""seen: no unfollowed call gets an optimizer, a tape, a function that steps, or a model and data.

Today's checks refuse what can't be followed to its end; nothing proves that all of it is seen yet.
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
    return wrapped(case, "seen")
