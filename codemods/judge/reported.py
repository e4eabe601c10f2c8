"""reported: what steers training, or is reported as the job's, was averaged before it is read.

Today's check finds callbacks that read a worker's own metrics; nothing proves it yet.
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
    return wrapped(case, "reported")
