"""What the settings ask for has a right form in this program (D105, D208, D302)."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.optimizers.wrapped_optimizers import blockers_of_accumulation
from ..facts.output.warm_ups import unwarmed_fits, unwarmed_loops
from ..model import Finding
from . import restriction
from ._finding import stopped

WARMUP, PASSES = "`warmup` has no form here", "`backward_passes_per_step` has no form here"


@restriction(code="L02", name="no-warm-up")
def no_warm_up(facts: Facts) -> Iterator[Finding]:
    """Training whose rate can't be led up to its full value."""
    for problem in dict.fromkeys((*unwarmed_fits(facts), *unwarmed_loops(facts))):
        yield stopped(facts, "L02", problem._replace(why=f"{WARMUP}: {problem.why}"))


@restriction(code="L02", name="no-sums")
def no_sums(facts: Facts) -> Iterator[Finding]:
    """Training whose gradients Horovod can't add up over several batches."""
    for problem in blockers_of_accumulation(facts):
        yield stopped(facts, "L02", problem._replace(why=f"{PASSES}: {problem.why}"))
