"""What the functions that make the data of each worker are told: `tf.distribute.InputContext`."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator

from ..facts import Facts
from ..program.node_fields import within
from ..program.parts import Function
from ._strategies import FROM_FUNCTION


def contexts(facts: Facts, strategies: Container[ast.AST]) -> set[ast.AST]:
    """The places that read a context, in these functions and in those that they hand it to."""
    found: set[ast.AST] = set()
    waiting = [
        parameter
        for call in facts.calls(*FROM_FUNCTION)
        if call.func.value in strategies  # type: ignore[attr-defined]
        for parameter in _first(facts, call)
    ]
    known = set(waiting)
    while waiting:
        for load in _loads(facts, waiting.pop()):
            found.add(load)
            new = set(_handed_on(facts, load)) - known
            known |= new
            waiting += new
    return found


def _first(facts: Facts, call: ast.Call) -> Iterator[ast.arg]:
    """What the function that makes the data takes."""
    given = [*call.args, *(k.value for k in call.keywords if k.arg == "dataset_fn")][:1]
    for made in given:
        function = made if isinstance(made, ast.Lambda) else facts.classes.function(made)
        yield from _parameters(function)[:1] if function is not None else ()


def _parameters(function: Function | ast.Lambda) -> list[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args]


def _loads(facts: Facts, parameter: ast.arg) -> Iterator[ast.Name]:
    function = facts.parent(facts.parent(parameter))  # type: ignore[arg-type]
    for node in within(function):  # type: ignore[arg-type]
        if isinstance(node, ast.Name) and node.id == parameter.arg:
            yield node


def _handed_on(facts: Facts, load: ast.AST) -> Iterator[ast.arg]:
    """The parameter of a function of this module that gets it."""
    parent = facts.parent(load)
    call = facts.parent(parent) if isinstance(parent, ast.keyword) else parent
    function = facts.callee(call) if isinstance(call, ast.Call) else None
    if function is None or not isinstance(call, ast.Call):
        return
    if isinstance(parent, ast.keyword):
        yield from (each for each in _parameters(function) if each.arg == parent.arg)
    elif load in call.args:
        yield from _parameters(function)[call.args.index(load) :][:1]


def is_unknown(facts: Facts, load: ast.AST) -> bool:
    """Whether a context goes to a function that nobody sees."""
    parent = facts.parent(load)
    is_given = isinstance(parent, (ast.Call, ast.keyword))
    return is_given and not list(_handed_on(facts, load))
