"""A learning rate that is multiplied by the number of workers more than once.

https://horovod.readthedocs.io/en/stable/tensorflow.html, step 3; run on two workers.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.optimizers.rate_carriers import given_rate, rate_arguments
from ..facts.workers.horovod_parts import SCALED
from ..model import Finding
from . import hazard
from ._finding import finding

MESSAGE = "this rate is multiplied by the number of workers {}: training may not converge"
WORDS = {2: "twice", 3: "three times"}
FIX = "multiply it once, where it is given to the optimizer or the schedule"


@hazard(code="H10", name="scaled-twice")
def scaled_twice(facts: Facts) -> Iterator[Finding]:
    """Errors, on every way on which the rate is reckoned so."""
    for call, argument in rate_arguments(facts):
        rate = given_rate(facts, call, argument)
        times = 0 if rate is None else facts.program.value(SCALED, rate)
        if rate is not None and times > 1:
            words = WORDS.get(times, "again and again")
            yield finding(facts, rate, "H10", MESSAGE.format(words), FIX)
