"""The loops around a training step, through calls, and what its optimizer is called in each."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...program.records import NamedTuple
from ..passed_arguments import passed
from ..scopes import Function, FunctionNode

if TYPE_CHECKING:
    from ..facts import Facts


class Spelled(NamedTuple):
    """An optimizer in the words of some function: `root` is what its name begins with."""

    root: ast.expr
    rest: str  # `.optimizer` behind it, or nothing


class Inside(NamedTuple):
    """A loop around a step, and the optimizer of the step as it is called there."""

    loop: ast.AST
    optimizer: Spelled | None


def around(facts: Facts, call: ast.Call) -> Iterator[Inside]:
    """The loops around a step, the innermost first, through functions that are called once."""
    optimizer, node, seen = _spelled(call), call, set()
    while node not in seen:
        seen.add(node)
        for parent in facts.parents(node):
            if isinstance(parent, FunctionNode):
                break
            if isinstance(parent, (ast.For, ast.While)):
                yield Inside(parent, optimizer)
        function = facts.function(node)
        sites = facts.call_sites(function) if function is not None else []
        if function is None or len(sites) != 1 or facts.values.escapes(function):
            return
        node = sites[0]
        optimizer = None if optimizer is None else _as_called(facts, function, node, optimizer)


def _spelled(call: ast.Call) -> Spelled | None:
    """`self.optimizer` of `self.optimizer.apply_gradients(…)`, `model.optimizer` of a model."""
    assert isinstance(call.func, ast.Attribute)
    is_model = call.func.attr == "train_on_batch"
    return _parted(call.func.value, ".optimizer" if is_model else "")


def _parted(expr: ast.expr, rest: str) -> Spelled | None:
    while isinstance(expr, ast.Attribute):
        rest = f".{expr.attr}{rest}"
        expr = expr.value
    return Spelled(expr, rest) if isinstance(expr, ast.Name) else None


def _as_called(
    facts: Facts, function: Function, site: ast.Call, optimizer: Spelled
) -> Spelled | None:
    """What a function calls the optimizer, in the words of who calls the function."""
    name = optimizer.root.id  # type: ignore[attr-defined]
    if facts.scope(optimizer.root).find(name) is not facts.index.scopes[function]:
        return optimizer  # of the module, or of a function around this one
    parameters = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    parameter = next((each for each in parameters if each.arg == name), None)
    if parameter is None or _is_rebound(facts, optimizer.root):
        return None
    is_self = parameter is parameters[0] and facts.classes.method_of(function) is not None
    method = site.func.value if isinstance(site.func, ast.Attribute) else None
    given = method if is_self else passed(site, function, parameter, facts.classes)
    return _parted(given, optimizer.rest) if isinstance(given, ast.expr) else None


def _is_rebound(facts: Facts, name: ast.expr) -> bool:
    """Whether a parameter may hold something else than what was given for it."""
    return [binding.kind for binding in facts.names.bindings(name)] != ["param"]
