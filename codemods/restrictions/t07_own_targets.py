"""A model that `fit` doesn't train, but learns by: each worker would have one of its own.

The callback broadcasts what is fitted. Target networks and frozen random networks that a loss, or
what makes the data, asks for stay as each worker drew them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, Pattern
from ..facts.agreement.chance import ALL_SEEDS, seeded
from ..facts.causes import spelled
from ..facts.gradients.untrained_models import untrained
from ..facts.precedence import may_precede
from ..facts.training import fits
from ..facts.training.pattern import training_of
from ..model import Finding
from . import restriction
from ._finding import finding

MESSAGE = "nothing trains `{}`: each worker asks one with weights of its own"
FIX = (
    "give all of them one seed before the first model is made: `tf.keras.utils.set_random_seed(0)`"
)


@restriction(code="T07", name="own-targets")
def own_targets(facts: Facts) -> Iterator[Finding]:
    """Models of random weights that are asked while another one is fitted."""
    if training_of(facts).pattern is not Pattern.KERAS or seeded(facts) >= ALL_SEEDS:
        return
    fitted = fits.fits(facts)
    for uses in untrained(facts).values():
        use = next((use for use in uses if any(_is_used(facts, use, fit) for fit in fitted)), None)
        if use is not None:
            yield finding(facts, use, "T07", MESSAGE.format(spelled(use)), FIX)


def _is_used(facts: Facts, use: ast.expr, fit: ast.Call) -> bool:
    """Whether the model is asked before a `fit` has run, or for what that is given."""
    return fit in facts.parents(use) or may_precede(facts, use, fit)
