"""Applied gradients come from a tape in sight, in a form that Horovod's tape can compute."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.gradients.tapes import wrapped_tapes
from ..model import Finding
from . import restriction
from ._finding import stopped


@restriction(code="G01", name="unfollowed-gradients")
def unfollowed_gradients(facts: Facts) -> Iterator[Finding]:
    """Calls of `apply_gradients` and `gradient` that D201 can't make average."""
    for problem in wrapped_tapes(facts).problems:
        yield stopped(facts, "G01", problem)
