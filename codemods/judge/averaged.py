"""averaged: each gradient that reaches an application was averaged exactly once.

Nothing but sums, scaling and casts stands between tape and averaging unless a row says otherwise.
Today's checks find where it is certainly not so; nothing proves it yet.
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
    return wrapped(case, "averaged")
