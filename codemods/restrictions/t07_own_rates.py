"""Every worker trains with the same learning rate: none that it sets by a value of its own.

Gradients are averaged, rates are not: workers with different rates drift apart
(horovod/horovod#1095).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, Role, fits
from ..facts.control import Control
from ..facts.ingredients import ingredients
from ..facts.rate_settings import assigned
from ..model import Finding
from . import restriction
from ._finding import finding

WAY_OUT = "decide by something that all workers share: a step count, the epoch, an option"


@restriction(code="T07", name="own-rates")
def own_rates(facts: Facts) -> Iterator[Finding]:
    """Rates that a loop of one's own sets, or not, by what only this worker knows."""
    control = Control(facts)
    for rate in assigned(facts):
        found = (c for c in disagreements(facts, control, rate) if is_own(facts, c))
        condition = next(found, None)
        if condition is not None and not is_in_callback(facts, rate):
            message = "workers may answer this condition differently, and set different rates"
            yield finding(facts, condition, "T07", message, WAY_OUT)


def is_own(facts: Facts, condition: ast.expr) -> bool:
    """Whether it may be another one on each worker.

    Between two `fit` most values come from metrics, which Horovod's callback has averaged; those of
    `evaluate` are every worker's own, as the moving statistics of BatchNorm are.
    """
    if not any(True for _ in fits.fits(facts)):
        return True
    return not set(fits.tests(facts)).isdisjoint(ingredients(facts, condition))


def disagreements(facts: Facts, control: Control, rate: ast.expr) -> Iterator[ast.expr]:
    """The conditions under which the rate is set, or what it is made of is bound."""
    bound = (b.node for n in ast.walk(rate) for b in facts.names.bindings(n) if is_set(b.kind))
    for place in (rate, *bound):
        for test in control.tests_between(place, None):
            if not control.is_shared(test):
                yield test


def is_set(kind: str) -> bool:
    """Whether a binding of that kind stores a value, as no import or parameter does."""
    return kind in ("assign", "aug")


def is_in_callback(facts: Facts, node: ast.AST) -> bool:
    """Whether Keras calls it, with metrics that are averaged at the end of an epoch."""
    cls = facts.cls(node)
    return cls is not None and facts.role_of_class(cls) is Role.CALLBACK
