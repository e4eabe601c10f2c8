"""What of a monitored session can't be followed, or would stop one worker alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.sessions import MONITORED
from ...program.node_fields import within
from ..agreement.control import disagreements
from ..facts import Facts
from ..problems import Problem
from ..training.pattern import Pattern, training_of
from ..training.session_runs import (
    COMPUTATIONS,
    is_global_step,
    is_own_hook,
    leads_to_step,
    session_runs,
)
from .configs import HIDDEN, PASS
from .hooks import unseen_hooks
from .starts import is_iterators_start, starts

_PUTS = ("run", "restore", "load", "eval", "init_fn")
_FINAL = "a monitored session takes no operation that broadcasts: its graph is finished"
_BY_SCAFFOLD = "give the values by `tf.train.Scaffold(init_fn=…)`, which runs before the broadcast"
STOPS = "this stops the training by a value of one worker's own: the others would wait for ever"
BY_STEPS = "decide by the number of steps, or by the average of the value over all workers"
_IN_HOOK = (
    "decide by a count of the hook's own, `self.count += 1`, by the step asked for in a run of its "
    "own, `run_context.session.run(step)`, or by the average of the value over all workers"
)
_LATE = (
    "nobody can tell what this hook runs behind the broadcast: each worker may run another thing"
)
_FETCHED = "worker 0 alone writes these averaged gradients, also in runs that take no step"
_ONLY_STEPS = "run nothing but training steps in this session, or leave these summaries out"


def is_monitored(facts: Facts) -> bool:
    """Whether the sessions of the module are monitored."""
    return training_of(facts).pattern is Pattern.MONITORED_SESSION


def unmonitored(facts: Facts) -> Iterator[Problem]:
    """Everything that is in the way of these sessions alone."""
    for session in facts.calls_of(*MONITORED):
        if facts.has_hidden_arguments(session):
            yield Problem(session, HIDDEN, PASS)
    for start in starts(facts):
        yield Problem(start.call, _FINAL, _BY_SCAFFOLD)
    yield from unseen_hooks(facts)
    yield from of_hooks(facts)
    if not all(leads_to_step(facts, run.fetches) for run in session_runs(facts)):
        yield from averaged_summaries(facts)


def of_hooks(facts: Facts) -> Iterator[Problem]:
    """What hooks of the program's own do that one worker may do alone."""
    for cls in facts.index.nodes(ast.ClassDef):
        if is_own_hook(facts, cls):
            yield from _of_class(facts, cls)


def _of_class(facts: Facts, cls: ast.ClassDef) -> Iterator[Problem]:
    for node in within(cls):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr == "request_stop" and any(disagreements(facts, node)):
            yield Problem(node, STOPS, _IN_HOOK)
        elif _puts_late(facts, node):
            yield Problem(node, _LATE, _BY_SCAFFOLD)


def _puts_late(facts: Facts, call: ast.Call) -> bool:
    """Whether a hook runs something by itself, but for the beginning of data and the step."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr not in _PUTS or facts.name(call.func) is not None:
        return False
    if is_global_step(facts, call):
        return False
    return not any(is_iterators_start(facts, each) for each in (*call.args, call.func.value))


def averaged_summaries(facts: Facts) -> Iterator[Problem]:
    """Summaries of averaged gradients: to compute one is to average, which takes all workers."""
    for call in facts.index.calls:
        name = facts.name(call.func) or ""
        if name.startswith("tensorflow.summary.") or name.endswith(".LoggingTensorHook"):
            if any(_is_gradient(node) for node in facts.program.ingredients(call)):
                yield Problem(call, _FETCHED, _ONLY_STEPS)


def _is_gradient(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "attr", "") in COMPUTATIONS
