"""How the optimizers of ready-made Estimators are written (D404)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..edits import At, FoldCall, SetArgument
from ..facts.optimizers.learning_rates import keeps_rates
from ..facts.optimizers.optimizer_makers import ready_made
from ._new_code import member, scaled
from ._optimizer_edits import wrapper

if TYPE_CHECKING:
    from ..facts import Facts


def named_optimizers(facts: Facts) -> Iterator[At]:
    """Optimizers that ready-made models get by a name, or not at all, are made by their class."""
    named = [one for one in ready_made(facts).optimizers if one.cls]
    yield from (At(made, FoldCall()) for made in dict.fromkeys(one.estimator for one in named))
    for one in named:
        rate = one.part.rate if keeps_rates(facts) else scaled(facts, one.part.rate)
        made = wrapper(facts, f"{member(facts, f'train.{one.cls}')}({rate})")
        yield At(one.estimator, SetArgument(one.part.argument, made, one.part.position))
