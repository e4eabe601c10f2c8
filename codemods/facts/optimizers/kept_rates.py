"""Whether the learning rates stay as they are, however many workers there are."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ...model import KEPT
from ..data.full_batch import is_full_batch
from ..data.full_fits import full_fits
from ..data.whose_batch import keeps_batch
from ..declared import keeps_rate
from ..roles import Role
from .compiles import compiles
from .optimizer_makers import innermost

if TYPE_CHECKING:
    from ..facts import Facts


def keeps_rates(facts: Facts) -> bool:
    """Whether a step takes no more examples than before, or a person chose it so."""
    is_chosen = facts.options.learning_rate == KEPT or keeps_batch(facts)
    return is_chosen or is_full_batch(facts) or bool(full_fits(facts))


def is_kept(facts: Facts, made: ast.Call) -> bool:
    """Whether a person says where an optimizer is made or compiled that its rate stays."""
    if keeps_rate(facts, made):
        return True
    said = (c for c in compiles(facts) if c.optimizer is not None and keeps_rate(facts, c.call))
    return any(made in innermost(facts, each.optimizer) for each in said)  # type: ignore[arg-type]


def are_kept(facts: Facts) -> bool:
    """Whether a person says so of all of them."""
    made = list(facts.creations(Role.OPTIMIZER))
    return bool(made) and all(is_kept(facts, each) for each in made)
