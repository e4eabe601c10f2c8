"""Every worker takes the same number of training steps: no exit by a value of one's own.

Horovod's issue threads 403, 2083, 3140; hazard "rank-dependent early exit".
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.agreement.control import Decision, disagreements
from ..facts.agreement.reasons import is_own, why_different
from ..facts.agreement_domain import AGREES, Agreement
from ..facts.data.session_steps import drawing_runs
from ..facts.sessions.session_starts import broadcasts
from ..facts.sessions.supervisor_sessions import supervised
from ..facts.training.pattern import runs_sessions, training_of
from ..facts.training.training_loops import told_counts
from ..facts.workers.collective_calls import split_ways
from ..library.hooks import OF_BATCHES
from ..model import Finding
from . import restriction
from ._agreement import agreed
from ._finding import finding
from .t07_own_predictions import tests

FIX = "decide by something that all workers share: a step count, an option, a length"


@restriction(code="T07", name="workers-disagree")
def workers_disagree(facts: Facts) -> Iterator[Finding]:
    """Conditions on the way to a training step, and exits from its loop, that can differ.

    H05 tells where the program itself asks for the worker's number, D205 lets rank 0 tell counts.
    """
    told = {*(way.decision for way in split_ways(facts)), *told_counts(facts)}
    calls = [call for call, _ in training_of(facts).places]
    # Keras calls a `train_step`, once a batch, on every worker.
    steps = [call for call in calls if not training_of(facts).in_train_step(call)]
    for place in (*steps, *waiting(facts)):
        for condition in (each for each in disagreements(facts, place) if each not in told):
            why = message(condition) + why_different(facts, condition)
            found = finding(facts, condition, "T07", why, agreed(facts, condition, FIX))
            yield found._replace(proves=is_own(facts, condition))
    for target, binding in facts.index.attribute_stores.get("stop_training", []):
        function = facts.function(binding.node)
        if function is not None and function.name in OF_BATCHES and _is_own(facts, target):
            yield finding(
                facts,
                target,
                "T07",
                "a batch of one worker ends its training, not the others'",
                FIX,
            )._replace(proves=True)


def _is_own(facts: Facts, target: ast.AST) -> bool:
    """Whether a test around it may be answered differently, as by the logs of a batch."""
    asked = list(tests(facts, target))
    values = (facts.program.value(AGREES, test) for test in asked)
    return not asked or any(value > Agreement.IMPORTED for value in values)


def waiting(facts: Facts) -> Iterator[ast.AST]:
    """What all workers have to come to equally often beside the steps of a session.

    Behind some statements each waits for a broadcast, and some runs take examples from the steps.
    """
    if runs_sessions(facts):
        yield from drawing_runs(facts)
        yield from (start.behind for start in broadcasts(facts))
        yield from (managed.place for managed in supervised(facts).found.values())


def message(condition: Decision) -> str:
    """What is wrong with a condition or an exit."""
    words: dict[type, str] = {
        ast.Break: "`break` leaves",
        ast.Continue: "`continue` skips a round of",
        ast.Return: "`return` leaves",
    }
    what = words.get(type(condition))
    if what is None:
        return (
            "workers may answer this condition differently, and the others wait for the step "
            "that one leaves out"
        )
    return (
        f"this {what} the training by a value of one worker's own: the others would wait for ever"
    )
