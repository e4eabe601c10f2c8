"""Which gradients reach a place: the data flow backwards, stopping at `tape.gradient(…)`.

All that a value is computed from counts: clipping, scaling, accumulating, `zip`, comprehensions,
functions of the module.
"""

from __future__ import annotations

import ast
from functools import partial

from ..library.horovod_names import member_of
from ..library.tensorflow_names import GRADIENTS
from ..program.records import NamedTuple
from ..program.versions import Path
from .facts import Facts
from .horovod import AVERAGES

GRADIENT = ("gradient", "jacobian", "batch_jacobian")
OTHER_GRADIENTS = ("get_gradients", "compute_gradients", "_compute_gradients")


class Flow(NamedTuple):
    """The gradients that a value is computed from, and the calls of the module on the way."""

    gradients: dict[ast.Call, None]  # calls of a tape's `gradient`
    averaged: dict[ast.Call, None]  # of these, those that the program averages itself
    foreign: dict[ast.Call, None]  # gradients that no tape computes
    calls: set[ast.Call]  # calls of functions of the module on the way


def flow_to(facts: Facts, expr: ast.AST, path: Path = ()) -> Flow:
    """What the part of a value at `path` is computed from."""
    flow = Flow({}, {}, {}, set())
    for node in facts.program.sources(expr, path, partial(is_end, facts)):
        if isinstance(node, ast.Call):
            _add(facts, node, flow)
    return flow


def _add(facts: Facts, call: ast.Call, flow: Flow) -> None:
    if is_gradient(facts, call):
        flow.gradients[call] = None
    elif _is_foreign(facts, call):
        flow.foreign[call] = None
    elif _is_average(facts, call):
        for argument in call.args:
            before = flow_to(facts, argument)
            flow.averaged.update(before.gradients)
            flow.foreign.update(before.foreign)
            flow.calls.update(before.calls)
    elif facts.callee(call) is not None:
        flow.calls.add(call)


def is_end(facts: Facts, node: ast.AST) -> bool:
    """Where gradients are made; an attribute of a library's object gives none."""
    if isinstance(node, ast.Call):
        ends = (is_gradient, _is_foreign, _is_average)
        return any(is_one(facts, node) for is_one in ends)
    if not isinstance(node, ast.Attribute) or facts.classes.instance_of(node.value) is not None:
        return False
    return facts.origins(node).nodes == (node,)  # it is all that is known of the value


def is_gradient(facts: Facts, call: ast.Call) -> bool:
    """Whether it is `tape.gradient(…)`, and no function of the module."""
    is_method = isinstance(call.func, ast.Attribute) and call.func.attr in GRADIENT
    return is_method and facts.name(call.func) is None and facts.callee(call) is None


def _is_foreign(facts: Facts, call: ast.Call) -> bool:
    attribute = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    return attribute in OTHER_GRADIENTS or facts.name(call.func) in GRADIENTS


def _is_average(facts: Facts, call: ast.Call) -> bool:
    return member_of(facts.name(call.func)) in AVERAGES
