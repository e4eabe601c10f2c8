"""Functions and callbacks of a module that do for Keras 3 what Horovod's own do for Keras 2.

Keras 3 applies gradients by `optimizer.apply`, which Horovod 0.28 doesn't know; so the averaging,
the broadcast and the mean of metrics stand in the program itself.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..program.node_fields import within
from .facts import Facts, recorded
from .horovod import AVERAGES, BROADCAST, METRICS, member
from .roles import Role
from .scopes import Function, FunctionNode

APPLY = "apply"


@recorded
def averaging_functions(facts: Facts) -> frozenset[ast.AST]:
    """Functions that put an `apply` of their own, which averages, in an optimizer's place."""
    found = (_outermost(facts, node) for node, _ in facts.index.attribute_stores.get(APPLY, ()))
    return frozenset(f for f in found if f is not None and _calls(facts, f, *AVERAGES))


def _outermost(facts: Facts, node: ast.AST) -> Function | None:
    around = [parent for parent in facts.parents(node) if isinstance(parent, FunctionNode)]
    return around[-1] if around else None


def _calls(facts: Facts, node: ast.AST, *members: str) -> bool:
    calls = (each for each in within(node) if isinstance(each, ast.Call))
    return any(member(facts, call.func) in members for call in calls)


def averaged_models(facts: Facts) -> Iterator[ast.Call]:
    """The calls of such functions, whose first argument is the model."""
    functions = averaging_functions(facts) if facts.has_horovod else frozenset()
    for call in facts.index.calls if functions else ():
        if facts.callee(call) in functions:
            yield call


def is_averaged(facts: Facts, above: ast.Call, model: str) -> bool:
    """Whether a model is given to such a function further down in the block of a call."""
    block, number = facts.block(facts.statement(above))
    below = block[number + 1 :]
    return any(
        facts.statement(call) in below and model in map(ast.unparse, call.args[:1])
        for call in averaged_models(facts)
    )


def callbacks_of_class(facts: Facts, cls: ast.ClassDef | None) -> Iterator[str]:
    """Which of Horovod's callbacks a class of the module stands for."""
    if cls is not None and facts.role_of_class(cls) is Role.CALLBACK:
        if _calls(facts, cls, "broadcast_variables"):
            yield BROADCAST
        if _calls(facts, cls, *AVERAGES):
            yield METRICS
