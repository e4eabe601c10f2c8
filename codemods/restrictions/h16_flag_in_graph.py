"""A flag of Python's lets a graph broadcast in the first round: it is read while tracing.

https://www.tensorflow.org/guide/function; rules, D202; a global was run on two workers.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.causes import spelled
from ..facts.workers.lost_broadcasts import graph_flags
from ..model import Finding
from . import hazard
from ._finding import finding

MESSAGE = "`{}` is read while tf.function traces: the graph that runs has no broadcast"
FIX = "pass the flag as an argument (`first_batch`), or make it a tf.Variable"


@hazard(code="H16", name="flag-in-graph")
def flag_in_graph(facts: Facts) -> Iterator[Finding]:
    """Errors: each worker goes on with the values that it began with."""
    for test in graph_flags(facts):
        yield finding(facts, test, "H16", MESSAGE.format(spelled(test)), FIX)
