"""A layer that changes a state when it is run changes it once more for each time that it runs."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..model import RECOMPUTE, Finding
from . import restriction
from ._recomputed import refused

WHY = "`{}` changes what the layer keeps, several times a step if the layer is run again"
FIX = "LayerNormalization instead of BatchNormalization; other updates outside of the list"


@restriction(code="C02", name="stateful-layers", rule=RECOMPUTE)
def stateful_layers(facts: Facts) -> Iterator[Finding]:
    """Layers of a list that keep a state and change it when they are called."""
    yield from refused(facts, "C02", WHY, FIX)
