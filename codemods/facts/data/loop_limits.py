"""Numbers of steps at which a program leaves a loop over its share of a dataset, or of turns.

Rule D106: what ends after 20 of the batches of one device ends after a share of them.
"""

from __future__ import annotations

import ast

from ..facts import Facts, recorded
from .dealt import limits_of_turns
from .pipeline_shares import Shares, shares_of
from .step_limits import limits_of
from .uses import End, Use


@recorded
def loop_limits(facts: Facts) -> dict[ast.expr, ast.AST]:
    """Each number, and the loop over a share that it ends: `if step >= n: break`."""
    data = shares_of(facts)
    loops = (_loop(facts, end) for end in data.ends if _is_share(data, end))
    found = dict.fromkeys(loop for loop in loops if loop is not None)
    limits = {number: loop for loop in found for number in limits_of(facts, loop)}
    return limits | dict(limits_of_turns(facts))


def _is_share(data: Shares, end: End) -> bool:
    """Whether D107 shares it out: what a program has shared itself ends as it says."""
    return (
        end.use is Use.TRAINING
        and bool(end.ways)
        and all(data.cuts_in(way) == 1 for way in end.ways)
    )


def _loop(facts: Facts, end: End) -> ast.AST | None:
    """The loop that runs over a dataset itself, or over a call around it: `enumerate(ds)`."""
    if isinstance(end.by, (ast.For, ast.AsyncFor)):
        return end.by
    parent = facts.parent(end.by)
    while isinstance(parent, ast.Call):
        parent = facts.parent(parent)
    return parent if isinstance(parent, ast.For) else None
