"""What is left of a number of steps, `total - ckpt.step`: the job counts the steps that are done.

A checkpoint of the job holds the steps that each worker has taken, so only the total is divided: a
share of the rest would take more steps after each restart.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ..facts import Facts
from ..roles import Role
from ..training.resumed_loops import is_counter_of_checkpoint


def total_of(facts: Facts, steps: ast.expr) -> ast.expr:
    """The total where `steps` is what a checkpoint leaves of it; else `steps` itself."""
    totals = list(dict.fromkeys(_totals(facts, steps)))
    return totals[0] if len(totals) == 1 else steps


def _totals(facts: Facts, steps: ast.expr) -> Iterator[ast.expr]:
    made = facts.origins(steps)
    values = (steps, *made.nodes) if made.complete and len(made.nodes) == 1 else (steps,)
    for node in (node for value in values for node in within(value)):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
            if _is_done(facts, node.right) and not _is_done(facts, node.left):
                yield node.left


def _is_done(facts: Facts, number: ast.expr) -> bool:
    """Whether steps that a run before has taken count in it."""
    return any(_counts_steps(facts, node) for node in facts.program.ingredients(number))


def _counts_steps(facts: Facts, node: ast.AST) -> bool:
    if is_counter_of_checkpoint(facts, node):
        return True
    if not isinstance(node, ast.Attribute) or node.attr != "iterations":
        return False
    return facts.role(node.value) is Role.OPTIMIZER
