"""Every learning rate is a number to multiply or a schedule that carries the scale (D104)."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts, Role
from ..facts.causes import spelled
from ..facts.optimizers.learning_rates import (
    is_kept,
    keeps_rates,
    unknown_rates,
    unseen_functions,
    unseen_values,
)
from ..facts.optimizers.rate_carriers import ignored_rates
from ..model import Finding
from . import restriction
from ._finding import LOOK, SIZE, finding, note, stopped, traced

UNSEEN = "the function that gives this learning rate can't be seen"
DEFINE = "define it in this file, or scale what it returns by hvd.size() yourself"
PUT = "nobody can tell which learning rate is set here, or whether one is"
BY_NAME = "set it in a statement of its own, `optimizer.learning_rate = …`"
IGNORED = "Keras ignores `lr=` since TensorFlow 2.11; written as `learning_rate=`, it takes effect"
MADE = "what `{}` makes its optimizers with can't be seen: a learning rate in it is not scaled"
SCALE = "scale the rate that `{}` takes, or has in it, by hvd.size(), if it doesn't do so itself"
KEEP = "leave it out if the default rate is what you want"


@restriction(code="L01", name="unknown-rate")
def unknown_rate(facts: Facts) -> Iterator[Finding]:
    """Rates of optimizers, schedules and callbacks that can't be seen or told apart."""
    for unknown in unknown_rates(facts):
        yield stopped(facts, "L01", unknown)
    for given in unseen_functions(facts):
        yield traced(facts, finding(facts, given, "L01", UNSEEN, DEFINE), given, given)
    for place in unseen_values(facts):
        yield finding(facts, place, "L01", PUT, BY_NAME)


@restriction(code="L01", name="rate-of-factory", stands=True)
def rate_of_factory(facts: Facts) -> Iterator[Finding]:
    """Optimizers of factories that the settings name: nobody knows where their rates stand."""
    if keeps_rates(facts):
        return
    for call in facts.creations(Role.OPTIMIZER):
        name = facts.factories.outside(call)
        if name is not None and not is_kept(facts, call):
            yield note(
                facts, call, "L01", MADE.format(name), SCALE.format(spelled(call.func)), kind=SIZE
            )


@restriction(code="L01", name="ignored-rate", stands=True)
def ignored_rate(facts: Facts) -> Iterator[Finding]:
    """`Adam(lr=0.01)`: D104 writes the rate so that it takes effect."""
    for _, given in ignored_rates(facts):
        yield note(facts, given, "L01", IGNORED, KEEP, kind=LOOK)
