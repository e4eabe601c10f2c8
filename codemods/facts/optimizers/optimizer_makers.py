"""Where an optimizer is made: the creating calls behind a name, a choice or a loss scale.

Mixed precision: the optimizer inside a LossScaleOptimizer is the one that is wrapped (D105).
"""

from __future__ import annotations

import ast

from ...program.node_fields import is_placeholder
from ..facts import Facts
from ..horovod import wrapped_value
from ..roles import Role
from .kept_optimizers import kept_by_compile

INNER = ("inner_optimizer", "optimizer", "opt")


def innermost(facts: Facts, expr: ast.AST) -> list[ast.Call]:
    """The creating calls that flow in; for a LossScaleOptimizer those of the one inside of it."""
    return [node for node in creations(facts, expr) if isinstance(node, ast.Call)]


def creations(facts: Facts, expr: ast.AST) -> list[ast.AST]:
    """What makes the optimizer; things that make none are in it, and stand for the unknown."""
    found: dict[ast.AST, None] = {}
    seen: set[ast.AST] = set()  # `opt = LossScaleOptimizer(opt)`
    queue: list[ast.AST] = [expr]
    while queue:
        origins = facts.origins(queue.pop())
        found.update(dict.fromkeys(origins.unknown))
        for item in origins.items:
            if item.node in seen:
                continue
            seen.add(item.node)
            inner = [] if item.path else _inside(facts, item.node)
            queue.extend(inner)
            if not inner and not is_placeholder(item.node):
                found[item.node] = None
    return list(found)


def _inside(facts: Facts, node: ast.AST) -> list[ast.AST]:
    """The optimizer in a LossScaleOptimizer; those in `{"adam": Adam(), "sgd": SGD()}[name]`."""
    if isinstance(node, ast.Call) and facts.made_by(node) is Role.LOSS_SCALE:
        inner = inner_optimizer(facts, node)
        return [] if inner is None else [inner]
    if isinstance(node, ast.Call):
        wrapped = wrapped_value(facts.name(node.func), node)
        return [] if wrapped is None else [wrapped]
    if isinstance(node, ast.Subscript):
        only = facts.origins(node.value).only
        return list(only.values) if isinstance(only, ast.Dict) and _is_fixed(facts, node) else []
    return list(kept_by_compile(facts, node))


def _is_fixed(facts: Facts, choice: ast.Subscript) -> bool:
    """Whether the dictionary is only read by its keys, so that it has what it was made with."""
    if not isinstance(choice.value, ast.Name):
        return isinstance(choice.value, ast.Dict)
    uses = [use for use in facts.index.loads[choice.value.id] if isinstance(use, ast.Name)]
    reads = (facts.parent(use) for use in uses)
    return all(isinstance(r, ast.Subscript) and isinstance(r.ctx, ast.Load) for r in reads)


def inner_optimizer(facts: Facts, call: ast.Call) -> ast.expr | None:
    """What a LossScaleOptimizer is given."""
    given = (facts.argument(call, name, 0) for name in INNER)
    return next((value for value in given if value is not None), None)
