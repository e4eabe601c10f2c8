"""Values that are put into variables between the steps, other ones on each worker perhaps."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ..facts import Facts
from ..problems import Problem
from ..roles import Role
from ..training.session_runs import session_runs
from ..training.training_loops import trains
from ..walks import reached
from .starts import changes, changes_alike

_BETWEEN = "this puts values into variables between the steps, perhaps other ones on each worker"
_BEFORE = "give them before the loop: all workers take over those of worker 0 there"


def puts_between(facts: Facts) -> Iterator[Problem]:
    """The runs of loops with steps, and of what these call, whose values may differ."""
    for run in session_runs(facts):
        if not changes(facts, run) or changes_alike(facts, run):
            continue
        places = reached([run.call], lambda node: _callers(facts, node))
        if any(trains(facts, loop) for place in places for loop in _loops(facts, place)):
            yield Problem(run.call, _BETWEEN, _BEFORE)


def _callers(facts: Facts, node: ast.AST) -> list[ast.Call]:
    function = facts.function(node)
    return [] if function is None else facts.call_sites(function)


def _loops(facts: Facts, node: ast.AST) -> Iterator[ast.AST]:
    """The loops around a node, but those that hold the start of what they train."""
    for parent in facts.parents(node):
        if isinstance(parent, (ast.For, ast.While)):
            if any(
                isinstance(n, ast.Call) and facts.made_by(n) is Role.SESSION for n in within(parent)
            ):
                return
            yield parent
