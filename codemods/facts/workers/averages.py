"""Gradients that are averaged twice, or by nobody though an optimizer of Horovod's is there.

horovod/horovod#141, #291, #303, #384; what Horovod 0.28's optimizers average was read there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..averaging import Averaged, averaged
from ..facts import Facts
from ..flow import Flow, flow_to
from ..gradients.applications import applications
from ..horovod import AVERAGES, OPTIMIZER, TAPES, WRAPPERS, calls_of, member
from ..optimizers.optimizer_makers import innermost
from ..training.pattern import runs_graph

_CAUGHT = (ast.With, ast.AsyncWith, ast.Try)


def averaged_twice(facts: Facts) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Applications of gradients, and what averages them for the first time."""
    for call in facts.calls("minimize", "compute_gradients"):
        tape = facts.argument(call, "tape", 3 if call.func.attr == "minimize" else 2)  # type: ignore[attr-defined]
        if tape is not None and _is_averaged(facts, call):
            if averaged(facts, tape) is Averaged.YES:
                yield call, tape
    for application in applications(facts):
        flow = _flow_of(facts, application)
        wrapped = [call for call in flow.gradients if _is_averaged(facts, call)]
        again = next((call for call in flow.averaged if _is_averaged(facts, call)), None)
        if again is not None:
            yield application, again
        elif wrapped and _is_averaged(facts, application):
            yield application, wrapped[0]


def dropped_wrappers(facts: Facts) -> Iterator[ast.Call]:
    """Calls that wrap an optimizer or a tape and whose result nobody keeps."""
    for call in calls_of(facts, OPTIMIZER, *TAPES):
        is_dropped = isinstance(facts.parent(call), ast.Expr)
        if is_dropped and not any(isinstance(each, _CAUGHT[:2]) for each in facts.parents(call)):
            yield call


def passed_by(facts: Facts) -> Iterator[ast.Call]:
    """In a graph: gradients of the optimizer that is wrapped elsewhere, or of `tf.gradients`."""
    if not runs_graph(facts):
        return
    dropped = set(dropped_wrappers(facts))
    wrapping = [call for call in calls_of(facts, *WRAPPERS) if call not in dropped]
    given = [value for call in wrapping for value in call.args[:1]]
    wrapped = {made for value in given for made in innermost(facts, value)}
    for call in facts.calls("minimize", "compute_gradients"):
        assert isinstance(call.func, ast.Attribute)
        is_plain = averaged(facts, call.func.value) is Averaged.NO
        if is_plain and wrapped & set(innermost(facts, call.func.value)):
            yield call
    for call in facts.calls("apply_gradients"):
        if _is_averaged(facts, call) and _is_of_function(facts, call):
            yield call


def _is_of_function(facts: Facts, application: ast.Call) -> bool:
    """Whether `tf.gradients` computes them, and nothing averages them on the way."""
    given = facts.argument(application, "grads_and_vars", 0)
    if given is None:
        return False
    flow = _flow_of(facts, application)
    names = [facts.name(call.func) for call in flow.foreign]
    ways = facts.program.sources(given, ("each", 0))
    by_hand = any(member(facts, n.func) in AVERAGES for n in ways if isinstance(n, ast.Call))
    return bool(names) and all((n or "").endswith(".gradients") for n in names) and not by_hand


def _is_averaged(facts: Facts, call: ast.Call) -> bool:
    return averaged(facts, call.func.value) is Averaged.YES  # type: ignore[attr-defined]


def _flow_of(facts: Facts, application: ast.Call) -> Flow:
    given = facts.argument(application, "grads_and_vars", 0)
    return Flow({}, {}, {}, set()) if given is None else flow_to(facts, given, ("each", 0))
