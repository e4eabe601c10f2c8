"""A `.keras` file remembers Horovod's class of the optimizer, for whoever loads it."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts, Pattern
from ..facts.optimizers.compiles import compiles
from ..facts.output.saved_models import saves
from ..facts.training.pattern import training_of
from ..model import Finding
from . import restriction
from ._finding import note

MESSAGE = "this file will name Horovod's class of the optimizer, which other programs can't load"
WAY_OUT = "load it there with compile=False, or with custom_objects={'Adam': …}; .h5 needs neither"


@restriction(code="D206", name="saved-optimizer")
def saved_optimizer(facts: Facts) -> Iterator[Finding]:
    """Notes for whole models that are saved in Keras' own format."""
    if training_of(facts).pattern is Pattern.KERAS and any(True for _ in compiles(facts)):
        for call in saves(facts):
            yield note(facts, call, "D206", MESSAGE, WAY_OUT)
