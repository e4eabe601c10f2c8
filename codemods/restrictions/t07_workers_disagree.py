"""All workers train one model in one way: nothing that only one of them has decides on it.

How the model looks, its numbers, rates and weights, whether a step is taken, when training ends.
Horovod's issue threads 403, 1095, 2083, 3140; hazard "rank-dependent early exit".
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..model import Finding
from . import restriction
from ._disagreement import of_code


@restriction(code="T07", name="workers-disagree")
def workers_disagree(facts: Facts) -> Iterator[Finding]:
    """What of the training hangs on a value that workers don't share."""
    return of_code(facts, "T07")
