"""The statements that train in one of two ways: a person takes the other one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Places, Remove, remove
from ..edits.patterns import STATEMENT
from ..facts import Facts, Pattern, training_of
from ..program.node_fields import within
from ..program.parts import Function
from ._repair import Query


def without(facts: Facts, pattern: Pattern) -> Iterator[At]:
    """The removal of each loop of a pattern, of functions that only it has, and of their calls."""
    training = training_of(facts)
    kinds = {kind for _, kind in training.places}
    if training.pattern is not Pattern.MULTIPLE or kinds != {Pattern.KERAS, Pattern.GRADIENT_TAPE}:
        return
    kept = {call for call, kind in training.places if kind is not pattern}
    gone: set[ast.stmt] = set()
    waiting = [call for call, kind in training.places if kind is pattern]
    while waiting:
        call = waiting.pop()
        function = facts.function(call)
        if function is None or _serves(facts, function, kept):
            gone.add(_outermost(facts, call, kept))
        elif isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) and function not in gone:
            gone.add(function)
            waiting += facts.call_sites(function)
    if _is_missed(facts, {node for statement in gone for node in within(statement)}):
        return
    for statement in gone:
        if gone.isdisjoint(facts.parents(statement)):
            yield At(statement, Remove())


def take_out(at: Places) -> Query:
    """The links that remove whole statements."""
    return Query().select(STATEMENT).filter(at.each(Remove)).modify(remove)


def _is_missed(facts: Facts, gone: set[ast.AST]) -> bool:
    """Whether what is left reads what only the rest binds."""
    for load in (load for loads in facts.index.loads.values() for load in loads):
        bindings = facts.bindings(load) if isinstance(load, ast.Name) else []
        if bindings and load not in gone and all(each.node in gone for each in bindings):
            return True
    return False


def _serves(facts: Facts, function: Function, kept: set[ast.Call]) -> bool:
    """Whether a function also trains in the other way."""
    reached = training_of(facts).reached(function)
    return any(facts.function(call) in reached for call in kept)


def _outermost(facts: Facts, call: ast.Call, kept: set[ast.Call]) -> ast.stmt:
    """The largest statement around a call, in its function, that holds nothing of the other way."""
    found = facts.statement(call)
    for parent in facts.parents(found):
        if not isinstance(parent, ast.stmt) or isinstance(parent, (ast.FunctionDef, ast.ClassDef)):
            break
        if _holds(facts, parent, kept):
            break
        found = parent
    return found


def _holds(facts: Facts, statement: ast.stmt, kept: set[ast.Call]) -> bool:
    """Whether it trains in the other way, in itself or by a call."""
    for node in within(statement):
        if node in kept:
            return True
        function = facts.callee(node) if isinstance(node, ast.Call) else None
        if function is not None and _serves(facts, function, kept):
            return True
    return False
