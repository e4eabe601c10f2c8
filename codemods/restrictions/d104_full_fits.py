"""A rate that stays, because the workers share out the one batch that every step takes."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.data.batch_needs import full_fits
from ..facts.training import fits
from ..model import Finding
from . import restriction
from ._finding import COST, note

MESSAGE = (
    "every step takes all of the data, on many workers as on one: the learning rate is not scaled"
)
FIX = "with smaller batches an epoch has steps to share out; migrate again after such a change"


@restriction(code="D104", name="full-fits")
def kept_rate(facts: Facts) -> Iterator[Finding]:
    """Notes at the size of each batch, or at the `fit` that has none."""
    for call in full_fits(facts):
        size = fits.argument(facts, call, "batch_size")
        yield note(facts, call if size is None else size, "D104", MESSAGE, FIX, kind=COST)
