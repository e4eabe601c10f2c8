"""Loops that train, in their own body or through what they call."""

from __future__ import annotations

import ast

from ...program.node_fields import within
from ..facts import Facts, recorded
from ..scopes import FunctionNode
from .pattern import Pattern, training_of

_HANDING_ON = ("tensorflow.function", "functools.partial")  # what they give calls the first


def trains(facts: Facts, loop: ast.AST) -> bool:
    """Whether a round of the loop trains, itself or through what it calls."""
    return loop in _training(facts)


@recorded
def _training(facts: Facts) -> set[ast.AST]:
    """Every node that trains, itself or in one of its parts."""
    places = {call for call, _ in training_of(facts).places}
    found: set[ast.AST] = set()
    for call in facts.index.calls:
        if call not in found and (call in places or _calls_training(facts, call)):
            node: ast.AST | None = call
            while node is not None and node not in found:
                found.add(node)
                node = facts.parent(node)
    return found


@recorded
def _names_of_training(facts: Facts) -> set[str]:
    """How the functions of the module are called that train."""
    functions = (node for node in facts.index.scopes if isinstance(node, FunctionNode))
    summary = training_of(facts).summary
    return {node.name for node in functions if summary(node) is not Pattern.UNKNOWN}


def _calls_training(facts: Facts, call: ast.Call) -> bool:
    if not _names_of_training(facts):
        return False
    function = facts.callee(call)
    if function is not None:
        return training_of(facts).summary(function) is not Pattern.UNKNOWN
    made = facts.origins(call.func).nodes
    functions = [node for node in made if isinstance(node, FunctionNode)]
    if any(training_of(facts).summary(node) is not Pattern.UNKNOWN for node in functions):
        return True
    lambdas = (node for node in made if isinstance(node, ast.Lambda))
    inside = (facts.callee(n) for f in lambdas for n in within(f) if isinstance(n, ast.Call))
    if any(f and training_of(facts).summary(f) is not Pattern.UNKNOWN for f in inside):
        return True
    names = {_last_name(func) for func in (call.func, *(_compiled(facts, node) for node in made))}
    return not names.isdisjoint(_names_of_training(facts))


def _compiled(facts: Facts, made: ast.AST) -> ast.AST:
    """`self.step` of `step = tf.function(self.step)`, of `partial(self.step, model)`."""
    is_call = isinstance(made, ast.Call) and facts.name(made.func) in _HANDING_ON
    return made.args[0] if is_call and made.args else made  # type: ignore[attr-defined]


def _last_name(expr: ast.AST) -> str | None:
    return getattr(expr, "attr", None) or getattr(expr, "id", None)


def loop_around(facts: Facts, node: ast.AST) -> ast.AST | None:
    """The innermost loop of the same function."""
    for parent in facts.parents(node):
        if isinstance(parent, (ast.For, ast.While)):
            return parent
        if isinstance(parent, FunctionNode):
            return None
    return None
