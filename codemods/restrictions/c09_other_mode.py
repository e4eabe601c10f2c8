"""Layers must be run on tensors, by TensorFlow 2, with the module tensorflow at hand."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..model import RECOMPUTE, Finding
from . import restriction
from ._recomputed import refused

WHY = "{}: layers are run again by TensorFlow 2 only, on tensors"
FIX = "write the model as a class with `call`, and `import tensorflow as tf`"


@restriction(code="C09", name="other-mode", rule=RECOMPUTE)
def other_mode(facts: Facts) -> Iterator[Finding]:
    """TensorFlow 1, Estimator, functional models, other strategies."""
    yield from refused(facts, "C09", WHY, FIX)
