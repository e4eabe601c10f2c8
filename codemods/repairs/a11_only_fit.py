"""A file that trains by `fit` and by a tape keeps `fit`, where a person says so.

Seed 000, section 3.1: the training loop of a file is of one kind.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import At, Places
from ..facts import Facts, Pattern
from ._loops_apart import take_out, without
from ._loops_example import BEFORE, LOOP, NEEDED
from ._repair import Query, repair


def loops_of_tapes(facts: Facts) -> Iterator[At]:
    """The loops in which a tape's gradients are applied."""
    yield from without(facts, Pattern.GRADIENT_TAPE)


@repair(
    code="A11",
    name="only-fit",
    title="Train with `fit` alone, and take the loop of the tape out.",
    answers=("T02",),
    is_automatic=False,
    find=loops_of_tapes,
    before=BEFORE,
    after=BEFORE.replace(LOOP, ""),
    noop=(NEEDED,),
)
def only_fit(at: Places) -> Query:
    """Whole statements go; what stands between them stays."""
    return take_out(at)
