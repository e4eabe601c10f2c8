"""A file that trains by `fit` and by a tape keeps the tape, where a person says so.

Seed 000, section 3.1: the training loop of a file is of one kind.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import At, Places
from ..facts import Facts, Pattern
from ._loops_apart import take_out, without
from ._loops_example import BEFORE, FIT, NEEDED
from ._repair import Query, repair


def fits(facts: Facts) -> Iterator[At]:
    """The statements with `fit`."""
    yield from without(facts, Pattern.KERAS)


@repair(
    code="A12",
    name="only-tape",
    title="Train with the loop of the tape alone, and take `fit` out.",
    answers=("T02",),
    is_automatic=False,
    find=fits,
    before=BEFORE,
    after=BEFORE.replace(FIT, "# quick\n"),
    noop=(NEEDED,),
)
def only_tape(at: Places) -> Query:
    """Whole statements go; what stands between them stays."""
    return take_out(at)
