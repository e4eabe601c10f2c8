"""Every worker takes the same number of steps: files of other lengths in another order give others.

Horovod's issue threads 403, 2083.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.data.own_turns import own_turns
from ..model import Finding
from . import restriction
from ._finding import drawn_at, finding

MESSAGE = (
    "each worker comes to these files in an order of its own: one that reads a longer file waits "
    "for the others"
)


@restriction(code="T07", name="own-turns")
def turns_of_ones_own(facts: Facts) -> Iterator[Finding]:
    """Loops over files, around `fit` or a loop of steps, in an order that nobody seeds."""
    for turn in own_turns(facts):
        found = finding(facts, turn.loop, "T07", MESSAGE, "")
        yield drawn_at(facts, found, turn.loop, turn.draw)
