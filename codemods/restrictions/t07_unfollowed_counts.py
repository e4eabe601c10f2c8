"""A count that can't be followed: who takes one step more than the others waits for ever.

Horovod's issue threads 403, 2083.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..judge.disagreements import disagreements
from ..model import Finding
from . import restriction
from ._disagreement import SHARED
from ._finding import UPDATE, note

UNKNOWN = (
    "nobody can tell whether all workers have this count; every worker has to take the same number "
    "of steps"
)


@restriction(code="T07", name="unfollowed-counts")
def counts_out_of_sight(facts: Facts) -> Iterator[Finding]:
    """Notes for the counts of training loops that code of the program makes out of sight."""
    for count in disagreements(facts).unfollowed():
        yield note(facts, count, "T07", UNKNOWN, SHARED, kind=UPDATE)
