"""Values that are put into variables between the steps, or in the same run as a step.

Between steps they may be other ones on each worker. In the run of a step nothing says which comes
first: one worker clips its weights before the step, another one behind it, and they drift apart.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.names import in_v1
from ...program.node_fields import within
from ..facts import Facts
from ..problems import Problem
from ..roles import Role
from ..training.session_runs import (
    is_zero,
    leads_to_step,
    put_value,
    puts,
    session_runs,
    training_runs,
    waits_for_step,
)
from ..training.training_loops import trains
from ..walks import reached
from .starts import changes, changes_alike

_VARIABLES = in_v1("Variable", "get_variable", "trainable_variables", "global_variables")
_GROUPS = in_v1("group", "tuple")
_BETWEEN = "this puts values into variables between the steps, perhaps other ones on each worker"
_BEFORE = "give them before the loop: all workers take over those of worker 0 there"
_ALONG = (
    "this changes weights in the run of a step, before it on one worker, behind it on another: "
    "they would drift apart"
)
_BEHIND = "run it behind the step, in a run of its own"


def puts_between(facts: Facts) -> Iterator[Problem]:
    """The runs of loops with steps, and of what these call, whose values may differ."""
    for run in session_runs(facts):
        if not changes(facts, run) or changes_alike(facts, run):
            continue
        places = reached([run.call], lambda node: _callers(facts, node))
        if any(trains(facts, loop) for place in places for loop in _loops(facts, place)):
            yield Problem(run.call, _BETWEEN, _BEFORE)
    yield from _puts_along(facts)


def _puts_along(facts: Facts) -> Iterator[Problem]:
    """Weights that a step trains, and that are given other values in the same run."""
    changing = {put for put in puts(facts) if _changes_weights(facts, put)}
    for run in training_runs(facts).values() if changing else ():
        parts: list[ast.expr] = getattr(run.fetches, "elts", [])
        put = [part for part in parts if changing & {*_run(facts, part)}]
        if any(leads_to_step(facts, each) for each in parts if each not in put):
            yield from (Problem(each, _ALONG, _BEHIND) for each in put)


def _run(facts: Facts, part: ast.expr) -> Iterator[ast.AST]:
    start: list[ast.AST] = [part]
    return reached(start, lambda node: _fetched(facts, node))


def _fetched(facts: Facts, node: ast.AST) -> list[ast.AST]:
    """What is run for a part of what is fetched: a list, a group, a list that goes through one."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return [*node.elts]
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        return [node.elt]
    if isinstance(node, ast.Call) and facts.name(node.func) in _GROUPS:
        return [*node.args]
    if isinstance(node, (ast.Starred, ast.Subscript)):
        return [node.value]
    return [made for made in facts.origins(node).nodes if made is not node]


def _changes_weights(facts: Facts, put: ast.Call) -> bool:
    """Whether it gives something else than zeros to a variable that is trained."""
    is_method = facts.name(put.func) is None
    target = put.func.value if is_method else facts.argument(put, "ref", 0)  # type: ignore[attr-defined]
    if target is None or is_zero(facts, put_value(facts, put)):
        return False
    is_weight = any(_is_trained(facts, node) for node in facts.origins(target).nodes)
    return is_weight and not waits_for_step(facts, put)


def _is_trained(facts: Facts, made: ast.AST) -> bool:
    if not isinstance(made, ast.Call) or facts.name(made.func) not in _VARIABLES:
        return False
    given = facts.argument(made, "trainable")
    return not (isinstance(given, ast.Constant) and given.value is False)


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
