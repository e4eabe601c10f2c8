"""Whether the learning rates stay as they are, however many workers there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model import KEPT
from ..data.full_batch import is_full_batch
from ..data.full_fits import full_fits

if TYPE_CHECKING:
    from ..facts import Facts


def keeps_rates(facts: Facts) -> bool:
    """Whether a step takes no more examples than before, or a person chose it so."""
    return facts.options.learning_rate == KEPT or is_full_batch(facts) or bool(full_fits(facts))
