"""Every layer of the list is made in sight, by a class that may be run twice."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..model import RECOMPUTE, Finding
from . import restriction
from ._recomputed import refused

WHY = "nobody can tell whether `{}` may be run twice in a step"
FIX = "make the list in __init__, once, of layers of Keras or of classes of this file"


@restriction(code="C05", name="untraced-layers", rule=RECOMPUTE)
def untraced_layers(facts: Facts) -> Iterator[Finding]:
    """Layers that can't be followed to classes that are known."""
    yield from refused(facts, "C05", WHY, FIX)
