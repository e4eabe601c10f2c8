"""Functions that only draw pictures: rank 0 alone calls them, so that they need no guard inside."""

from __future__ import annotations

import ast

from ..by_rank import is_decided
from ..facts import Facts, recorded
from ..setup.import_places import init_place, runs_before_init
from .drawings import is_drawing
from .effects import Effects


@recorded
def pictures(facts: Facts) -> frozenset[ast.AST]:
    """The functions that draw and do nothing else, if each call of them is seen and left out."""
    if init_place(facts) is None:  # a library, whose callers are elsewhere
        return frozenset()
    drawing = (call for call in facts.index.calls if is_drawing(facts, call))
    functions = dict.fromkeys(facts.function(call) for call in drawing)
    effects = facts.record(Effects)
    return frozenset(
        function
        for function in functions
        if isinstance(function, ast.FunctionDef)
        and effects.function(function)
        and _is_called_alone(facts, effects, function)
    )


def is_in_picture(facts: Facts, node: ast.AST) -> bool:
    """Whether it stands in such a function."""
    found = pictures(facts)
    return bool(found) and any(parent in found for parent in facts.parents(node))


def _is_called_alone(facts: Facts, effects: Effects, function: ast.FunctionDef) -> bool:
    """Whether each call is a statement that rank 0 may run alone, or does so already."""
    sites = facts.call_sites(function)
    if not sites or facts.values.escapes(function):
        return False
    return all(_may_be_left_out(facts, effects, site) for site in sites)


def _may_be_left_out(facts: Facts, effects: Effects, site: ast.Call) -> bool:
    statement = facts.statement(site)
    if is_decided(facts, statement):
        return True
    is_whole = isinstance(statement, ast.Expr) and statement.value is site
    return is_whole and effects.statement(statement) and not runs_before_init(facts, statement)
