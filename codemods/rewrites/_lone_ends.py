"""How workers end a training together that one of them alone would end (D302)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..edits import At, Replace
from ._keras_3_forms import TERMINATE_ON_NAN, TERMINATE_TOGETHER, definitions, terminate_together
from ._new_code import fresh

if TYPE_CHECKING:
    from ..facts import Facts


def ends_together(facts: Facts) -> Iterator[At]:
    """Callbacks that look at a worker's own loss, which is no number on one worker first."""
    made = list(facts.calls_of(TERMINATE_ON_NAN))
    if made:
        yield definitions(facts, terminate_together(facts), is_last=True)
        yield from (At(call.func, Replace(fresh(facts, TERMINATE_TOGETHER))) for call in made)
