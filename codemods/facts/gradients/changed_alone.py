"""Averaged gradients that each worker changes by a value of its own before they are applied.

The tape averages what it gives. What is multiplied or added behind it (a loss, a number of
examples, noise that nobody seeds) moves the weights of each worker another way.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from ...library.agreement import OF_SHAPES, SHARED_MEMBERS
from ...library.draws import TENSORFLOW
from ..agreement.chance import draws_tensors
from ..agreement.reasons import gives_own
from ..facts import Facts
from ..flow import flow_to, is_end
from ..roles import Role
from ..training.optimizer_calls import given_gradients
from .applications import applications

_SHARED = (Role.MODEL, Role.OPTIMIZER, Role.LOSS_SCALE)  # every worker has the same


def changed_alone(facts: Facts) -> Iterator[tuple[ast.Call, ast.expr]]:
    """The calls that apply such gradients, and a value of one worker's own behind each."""
    for application in applications(facts):
        given, path = given_gradients(facts, application)
        flow = None if given is None else flow_to(facts, given, path)
        if given is not None and flow is not None and flow.gradients and not flow.foreign:
            way = facts.program.sources(given, path, partial(is_same, facts))
            own = [n for n in way if isinstance(n, ast.expr) and is_own(facts, n)]
            own.sort(key=lambda node: facts.role(node) is Role.DATASET)  # the last to be blamed
            yield from ((application, value) for value in own[:1])


def is_same(facts: Facts, node: ast.AST) -> bool:
    """Where nothing of one worker's own comes from: averages, shapes, models and what they keep."""
    if is_end(facts, node) or is_own(facts, node):
        return True
    if isinstance(node, ast.Attribute) and node.attr in SHARED_MEMBERS:
        return True
    if isinstance(node, ast.Call) and facts.name(node.func) in OF_SHAPES:
        return True
    return isinstance(node, ast.expr) and facts.role(node) in _SHARED


def is_own(facts: Facts, node: ast.AST) -> bool:
    """A clock, a draw that nobody seeds, what a model says of a batch, the batch itself."""
    if isinstance(node, ast.Call):
        is_tensors = (facts.name(node.func) or "").startswith(f"{TENSORFLOW}.")
        return draws_tensors(facts, node) if is_tensors else gives_own(facts, node)
    if isinstance(node, ast.Attribute) and node.attr == "losses":
        return facts.role(node.value) is Role.MODEL
    return isinstance(node, ast.expr) and facts.role(node) is Role.DATASET
