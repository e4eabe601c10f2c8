"""A schedule that counts the steps of all workers: `step = step * hvd.size()` is no larger rate.

What Keras gives the `__call__` of a schedule is a number of steps. N times as many have no power
of N: what is reckoned with them is a rate by its base, wherever on its way it is.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ..facts.facts import recorded
from ..facts.optimizers.job_steps import counted_step
from ..facts.optimizers.schedules import classes
from ..program.domain import Domain, Operands
from .exponents import POWERS, Powers

if TYPE_CHECKING:
    from ..facts import Facts
    from ..program.origins import Origin


@recorded
def powers(facts: Facts) -> Domain[Powers]:
    """The domain of the powers of N, for which such a product is as its step."""
    methods = (s for cls in classes(facts) for s in cls.body if isinstance(s, ast.FunctionDef))
    calls = [method for method in methods if method.name == "__call__"]
    products = {counted_step(facts, method) for method in calls} - {None}
    if not products:
        return POWERS

    def create(origin: Origin, operands: Operands[Powers]) -> Powers:
        values = operands.of(origin)
        is_count = origin.node in products and len(values) == 2
        return values[0] if is_count else POWERS.create(origin, operands)

    return Domain(POWERS.bottom, POWERS.unknown, POWERS.join, create, suppose=create)
