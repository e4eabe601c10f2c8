"""Every worker trains the same model in the same way: none draws its own settings.

A search that picks sizes and rates by `random.choice` gives each worker another model (whose
gradients can't be averaged) or another rate (so that they drift apart).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, Role
from ..facts.agreement.chance import drawn, is_suggested
from ..facts.causes import Cause
from ..facts.names import KERAS
from ..facts.training import fits
from ..library.callbacks import steers_by_logs
from ..model import Finding
from . import restriction
from ._finding import drawn_at, finding, moved

MESSAGE = "every worker draws a setting of its own: they would not train the same model alike"
STUDY = "each worker's study proposes a setting of its own: they would not train the same model"
ONE_STUDY = (
    "let their studies propose alike, each in its memory, by averaged scores: "
    "`optuna.create_study(sampler=optuna.samplers.TPESampler(seed=0))`"
)
_OF_FIT = (
    *("epochs", "batch_size", "steps_per_epoch", "validation_split"),
    *("initial_epoch", "validation_freq"),  # who validates alone waits for the average of it
)
_KINDS = ("layers", "losses", "regularizers", "constraints")
_MADE = tuple(f"{KERAS}.{kind}." for kind in _KINDS)


@restriction(code="T07", name="drawn-settings", proves=True)
def drawn_settings(facts: Facts) -> Iterator[Finding]:
    """Random numbers that nobody seeded, as arguments of what makes a model, and of `fit`."""
    for value in settings(facts):
        draw = drawn(facts, value)
        if draw is not None:
            yield of_study(facts, value, draw) or of_chance(facts, value, draw)
            return  # one seed mends them all


def of_chance(facts: Facts, value: ast.expr, draw: ast.AST) -> Finding:
    """The finding on a number that nobody seeds."""
    return drawn_at(facts, finding(facts, value, "T07", MESSAGE, ""), value, draw)


def of_study(facts: Facts, value: ast.expr, draw: ast.AST) -> Finding | None:
    """The finding on a proposal of a study, None where it isn't one."""
    if not is_suggested(facts, draw):
        return None
    return moved(facts, finding(facts, value, "T07", STUDY, ONE_STUDY), value, Cause(draw))


def settings(facts: Facts) -> Iterator[ast.expr]:
    """What decides how a model looks and learns."""
    for call in facts.index.calls:
        name = facts.name(call.func) or ""
        is_part = name.startswith(_MADE) or steers_by_logs(name)
        if is_part or facts.made_by(call) in (Role.OPTIMIZER, Role.SCHEDULE):
            yield from (*call.args, *(k.value for k in call.keywords))
    for call in fits.fits(facts):
        for name in _OF_FIT:
            yield from fits.arguments(facts, call, name)
    for _, binding in facts.index.attribute_stores.get("trainable", []):
        if isinstance(binding.value, ast.expr):
            yield binding.value
