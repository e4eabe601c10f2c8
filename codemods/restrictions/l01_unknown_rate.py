"""Every learning rate is a number to multiply or a schedule that carries the scale (D104)."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.keras_classes import is_legacy
from ..facts.optimizers.rate_settings import unknown_settings
from ..facts.optimizers.unknown_rates import unknown_rates
from ..facts.roles import Role
from ..model import Finding
from . import restriction
from ._finding import finding, note

UNSEEN = "the function that gives this learning rate can't be seen"
DEFINE = "define it in this file, or scale what it returns by hvd.size() yourself"
LR_IGNORED = (2, 11)  # since then `lr=` does nothing but warn


@restriction(code="L01", name="unknown-rate")
def unknown_rate(facts: Facts) -> Iterator[Finding]:
    """Rates of optimizers, schedules and callbacks that can't be seen or told apart."""
    for unknown in unknown_rates(facts):
        yield finding(facts, unknown.node, "L01", unknown.why, unknown.fix)
    for given in unknown_settings(facts):
        yield finding(facts, given, "L01", UNSEEN, DEFINE)


@restriction(code="L01", name="ignored-rate")
def ignored_rate(facts: Facts) -> Iterator[Finding]:
    """`Adam(lr=0.01)`: newer classes ignore it and take their default."""
    if facts.options.tensorflow < LR_IGNORED:
        return
    for call in facts.creations(Role.OPTIMIZER):
        given = facts.argument(call, "lr")
        kind = facts.kind(call) or ""
        if given is not None and facts.classes.local(call.func) is None and not is_legacy(kind):
            yield note(
                facts,
                given,
                "L01",
                "Keras ignores `lr=` since TensorFlow 2.11 and takes the default rate instead",
                "write learning_rate= if this is the rate that you want",
            )
