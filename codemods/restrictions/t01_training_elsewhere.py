"""The training loop is in one file: what trains, and what starts it, must be visible in it.

Seed 000, section 3.1, restriction 1.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts, Pattern
from ..model import Finding
from . import restriction
from ._finding import finding


@restriction(code="T01", name="training-elsewhere")
def training_elsewhere(facts: Facts) -> Iterator[Finding]:
    """`.fit` of something that can't be traced to a model, and modules that start no training."""
    for call in facts.training.uncertain:
        yield finding(
            facts,
            call,
            "T01",
            "what this `fit` trains can't be traced to a Keras model of this file",
            "create the model (or its class) in this file, or call `fit` on a name bound to it",
        )
    if facts.pattern is not Pattern.UNKNOWN and not facts.training.starts_here:
        yield finding(
            facts,
            facts.training.places[0][0],
            "T01",
            "nothing in this file starts this training: another module does, and `hvd.init()` "
            "belongs there",
            'call it from this file, for example under `if __name__ == "__main__":`',
        )
