"""Loops that train, in their own body or through what they call."""

from __future__ import annotations

import ast

from ..facts import Facts
from ..scopes import FunctionNode
from .pattern import Pattern, training_of


def trains(facts: Facts, loop: ast.AST) -> bool:
    """Whether a round of the loop trains, itself or through what it calls."""
    training = {call for call, _ in training_of(facts).places}
    return any(
        node in training or _calls_training(facts, node)
        for node in ast.walk(loop)
        if isinstance(node, ast.Call)
    )


def _calls_training(facts: Facts, call: ast.Call) -> bool:
    function = facts.callee(call)
    if function is not None:
        return training_of(facts).summary(function) is not Pattern.UNKNOWN
    made = facts.origins(call.func).nodes
    functions = [node for node in made if isinstance(node, FunctionNode)]
    if any(training_of(facts).summary(node) is not Pattern.UNKNOWN for node in functions):
        return True
    names = {_last_name(func) for func in (call.func, *(_compiled(facts, node) for node in made))}
    return any(
        isinstance(node, FunctionNode)
        and node.name in names
        and training_of(facts).summary(node) is not Pattern.UNKNOWN
        for node in facts.index.scopes
    )


def _compiled(facts: Facts, made: ast.AST) -> ast.AST:
    """`self.step` of `step = tf.function(self.step)`."""
    is_call = isinstance(made, ast.Call) and facts.name(made.func) == "tensorflow.function"
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
