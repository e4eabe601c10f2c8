"""A program of TensorFlow 1 keeps the rate of one worker; of the others D104 sees to it.

https://horovod.readthedocs.io/en/stable/tensorflow.html, step 3; run on two workers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, Role
from ..facts.by_rank import SIZE, depends_on_size
from ..facts.horovod import WARM_UP, calls_of, member
from ..facts.optimizers.learning_rates import constructor_rates, is_kept_there, keeps_rates
from ..facts.training.pattern import runs_graph
from ..facts.workers.horovod_parts import is_whole
from ..judge.size import rates
from ..model import Finding
from . import hazard
from ._finding import warning

MESSAGE = "this rate is that of one worker, and a step of all workers takes that many times more"
OF_MACHINE = (
    "this rate grows with the workers of one machine, and a step is one of all workers: on two "
    "machines it is half of what it would be"
)
ALL = "multiply it by `hvd.size()`"
IDLE = (
    "this warm-up does nothing: the rate comes from a schedule, and what the callback sets nobody "
    "reads"
)
IN_SCHEDULE = "leave it out, and let the schedule begin with a low rate (or give a plain rate)"
FIX = "multiply it by `hvd.size()`, or divide the batch of each worker by it"


@hazard(code="H17", name="rate-not-scaled")
def rate_not_scaled(facts: Facts) -> Iterator[Finding]:
    """Warnings: training is slower than it need be, and none is wrong."""
    is_asked = is_whole(facts) and runs_graph(facts) and not keeps_rates(facts)
    if is_asked and not any(True for _ in divided_batches(facts)):
        for place in constructor_rates(facts):
            if is_kept_there(facts, place):
                continue
            yield warning(facts, place, "H17", MESSAGE, FIX)


@hazard(code="H17", name="rate-of-a-machine")
def rate_of_a_machine(facts: Facts) -> Iterator[Finding]:
    """Warnings at `hvd.local_size()` in a rate, which is right beside Adasum alone."""
    for place in rates(facts) if "Adasum" not in facts.index.loads else ():
        made = facts.program.ingredients(place)
        asked = {member(facts, node.func) for node in made if isinstance(node, ast.Call)}
        if asked & SIZE == {"local_size"}:
            yield warning(facts, place, "H17", OF_MACHINE, ALL)


@hazard(code="H17", name="idle-warm-up")
def idle_warm_up(facts: Facts) -> Iterator[Finding]:
    """Warnings at warm-up callbacks of programs all of whose optimizers follow a schedule."""
    if not any(True for _ in calls_of(facts, WARM_UP)):
        return
    made = list(facts.creations(Role.OPTIMIZER))
    rates = [facts.argument(call, "learning_rate", 0) for call in made]
    if rates and all(rate is not None and _is_schedule(facts, rate) for rate in rates):
        for call in calls_of(facts, WARM_UP):
            yield warning(facts, call, "H17", IDLE, IN_SCHEDULE)


def _is_schedule(facts: Facts, rate: ast.expr) -> bool:
    return facts.role(rate) is Role.SCHEDULE


def divided_batches(facts: Facts) -> Iterator[ast.Assign]:
    """`batch_size = 256 // hvd.size()`: the batch of all workers is that of one."""
    for node in facts.index.nodes(ast.Assign):
        is_batch = any("batch" in ast.unparse(target) for target in node.targets)
        if is_batch and is_divided(facts, node.value):
            yield node


def is_divided(facts: Facts, value: ast.expr) -> bool:
    """Whether it is a quotient by the number of workers."""
    is_quotient = isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Div, ast.FloorDiv))
    return is_quotient and depends_on_size(facts, value.right)  # type: ignore[attr-defined]
