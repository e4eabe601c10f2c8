"""Variables that a program uses and no optimizer is given, and that each worker starts otherwise.

A projection that is drawn once, copies of weights that follow them slowly: a loss of them differs
by worker until all have those of worker 0.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..agreement_domain import AGREES, Agreement
from ..facts import Facts, recorded
from ..holders import Key, held_by
from .trained_models import given_variables

_VARIABLE = "tensorflow.Variable"
_LISTS = (ast.List, ast.Tuple)


@recorded
def loose_variables(facts: Facts) -> dict[Key, list[ast.expr]]:
    """The uses of each name that holds such a variable, or a list of them."""
    found: dict[Key, list[ast.expr]] = {}
    made = list(_bound_calls(facts))
    known = _given(facts) if made else frozenset()
    for statement, target, calls in made:
        if known.isdisjoint(calls) and any(_differs(facts, call) for call in calls):
            uses = [use for use in _loads(facts, target) if statement not in facts.parents(use)]
            for use in uses:
                found.setdefault(held_by(facts, use), []).append(use)
    return found


def _bound_calls(facts: Facts) -> Iterator[tuple[ast.stmt, ast.Name, list[ast.Call]]]:
    """Names that are given `tf.Variable(…)`, or a list of it."""
    for call in facts.calls_of(_VARIABLE):
        statement = facts.statement(call)
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if isinstance(statement, ast.Assign) and isinstance(target, ast.Name):
            calls = _elements(facts, statement.value)
            if calls and call is calls[0]:
                yield statement, target, calls


def _elements(facts: Facts, value: ast.expr) -> list[ast.Call]:
    """The calls of a display or comprehension that holds nothing but variables."""
    elements = [value.elt] if isinstance(value, ast.ListComp) else [value]
    elements = value.elts if isinstance(value, _LISTS) else elements
    calls = [each for each in elements if isinstance(each, ast.Call)]
    are_variables = all(facts.name(call.func) == _VARIABLE for call in calls)
    return calls if are_variables and len(calls) == len(elements) else []


def is_list(facts: Facts, use: ast.expr) -> bool:
    """Whether a name holds a list of variables, and not a single one."""
    return not any(
        isinstance(node, ast.Call) and facts.name(node.func) == _VARIABLE
        for node in facts.origins(use).nodes
    )


def _given(facts: Facts) -> frozenset[ast.AST]:
    """The syntax behind what optimizers are given."""
    return frozenset(facts.program.ingredients_of(given_variables(facts)))


def _differs(facts: Facts, call: ast.Call) -> bool:
    initial = facts.argument(call, "initial_value", 0)
    return initial is not None and facts.program.value(AGREES, initial) > Agreement.IMPORTED


def _loads(facts: Facts, target: ast.Name) -> Iterator[ast.expr]:
    for use in facts.index.loads.get(target.id, ()):
        if isinstance(use, ast.Name) and facts.scope(use).find(use.id) is facts.scope(target).find(
            target.id
        ):
            yield use
