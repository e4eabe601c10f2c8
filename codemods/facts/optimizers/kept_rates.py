"""Whether the learning rates stay as they are, however many workers there are."""

from __future__ import annotations

import ast

from ...model import KEPT
from ..data.full_batch import is_full_batch
from ..data.full_fits import full_fits
from ..data.whose_batch import keeps_batch
from ..declared import declarations, keeps_rate
from ..facts import Facts, recorded
from ..roles import Role
from .compiles import compiles
from .optimizer_makers import innermost

USES = ("minimize", "compute_gradients", "apply_gradients")


def keeps_rates(facts: Facts) -> bool:
    """Whether a step takes no more examples than before, or a person chose it so."""
    is_chosen = facts.options.learning_rate == KEPT or keeps_batch(facts)
    return is_chosen or is_full_batch(facts) or bool(full_fits(facts))


def is_kept(facts: Facts, made: ast.Call) -> bool:
    """Whether a person says where an optimizer is made or used that its rate stays."""
    return keeps_rate(facts, made) or made in _said_where_used(facts)


def is_kept_there(facts: Facts, rate: ast.AST) -> bool:
    """Whether a person says of a rate that it stays, or of the optimizer that it is given to."""
    used = _said_where_used(facts)
    return keeps_rate(facts, rate) or facts.statement(rate) in map(facts.statement, used)


@recorded
def _said_where_used(facts: Facts) -> frozenset[ast.AST]:
    """The optimizers of which it is said where a model is compiled with them, or a loss minimized.

    A rule that gives one a name leaves what stands behind the line in its place.
    """
    if not declarations(facts).all:
        return frozenset()
    said = [c.optimizer for c in compiles(facts) if keeps_rate(facts, c.call)]
    said += [c.func.value for c in facts.calls(*USES) if keeps_rate(facts, c)]  # type: ignore[attr-defined]
    return frozenset(m for each in said if each is not None for m in innermost(facts, each))


def are_kept(facts: Facts) -> bool:
    """Whether a person says so of all of them."""
    made = list(facts.creations(Role.OPTIMIZER))
    return bool(made) and all(is_kept(facts, each) for each in made)
