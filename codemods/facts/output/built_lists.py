"""Lists of callbacks that are only ever built from displays and grown in sight."""

from __future__ import annotations

import ast
from typing import NamedTuple

from ..by_rank import asks_for_rank
from ..facts import Facts
from ..functions import returns
from ..scopes import Binding
from ..training import fits

_DISPLAYS = (ast.List, ast.Tuple)
_GROWING = ("append", "extend", "insert")


class BuiltList:
    """What is put in a list: in displays, and one by one by statements."""

    def __init__(self) -> None:
        self.elements: list[ast.expr] = []
        self.added: list[tuple[ast.stmt, ast.expr]] = []


def built_list(facts: Facts, name: ast.expr) -> BuiltList | None:
    """What a list holds that a name or a call stands for; None where something else may happen."""
    found = BuiltList()
    is_seen = _value if isinstance(name, ast.Call) else _follow
    return found if is_seen(facts, name, found) else None


def _follow(facts: Facts, name: ast.AST, found: BuiltList) -> bool:
    """Collect what a name's list holds; False when something else may happen to it."""
    bindings = _bindings(facts, name)
    values = [b.value.value if isinstance(b.value, ast.AugAssign) else b.value for b in bindings]
    is_assigned = all(b.kind in ("assign", "aug") and not b.path for b in bindings)
    if not bindings or not is_assigned or not all(_value(facts, value, found) for value in values):
        return False
    for use in facts.index.loads.get(_spelling(name), ()):
        if _bindings(facts, use) == bindings:
            growth = _growth(facts, use)
            if growth is None:
                return False
            if growth.inside:
                found.elements += growth.elements
            else:
                found.added += [(growth.statement, element) for element in growth.elements]
    return True


def _spelling(name: ast.AST) -> str:
    return name.id if isinstance(name, ast.Name) else getattr(name, "attr", "")


def _bindings(facts: Facts, name: ast.AST) -> list[Binding]:
    """What a name or `self.callbacks` is bound to; every object's attribute counts as the same."""
    if isinstance(name, ast.Name):
        return facts.names.bindings(name)
    if isinstance(name, ast.Attribute) and facts.classes.self_class(name.value) is not None:
        return [binding for _, binding in facts.index.attribute_stores.get(name.attr, ())]
    return []


def _value(facts: Facts, value: ast.AST | None, found: BuiltList) -> bool:
    """A display, or a function of this module that returns a list it builds."""
    if isinstance(value, _DISPLAYS):
        found.elements += value.elts
        return True
    if isinstance(value, ast.IfExp) and asks_for_rank(facts, value.test):
        return _value(facts, value.body, found) and _value(facts, value.orelse, found)
    function = facts.callee(value) if isinstance(value, ast.Call) else None
    results = [r.value for r in returns(function)] if function is not None else []
    for result in results:
        is_built = result is not None and _follow(facts, result, found)
        if not is_built and not (isinstance(result, _DISPLAYS) and _value(facts, result, found)):
            return False
    return bool(results)


class _Growth(NamedTuple):
    statement: ast.stmt
    elements: tuple[ast.expr, ...]
    inside: bool  # the elements stand in a display of their own


_READ = _Growth(ast.Pass(), (), inside=False)


def _growth(facts: Facts, use: ast.AST) -> _Growth | None:
    """What a use of the list adds to it: `_READ` for nothing, None for who knows what."""
    parent = facts.parent(use)
    if isinstance(parent, (ast.Return, ast.Starred)) or (
        isinstance(parent, ast.keyword) and parent.arg == "callbacks"
    ):
        return _READ
    if isinstance(parent, ast.Call) and use in parent.args and _takes_callbacks(facts, parent, use):
        return _READ
    if isinstance(parent, ast.Call) and facts.name(parent.func) in (
        "builtins.len",
        "builtins.print",
    ):
        return _READ
    if not isinstance(parent, ast.Attribute) or parent.attr not in _GROWING:
        return None
    call = facts.parent(parent)
    statement = facts.parent(call) if call is not None else None
    if not isinstance(call, ast.Call) or not isinstance(statement, ast.Expr) or not call.args:
        return None
    last = call.args[-1]
    if parent.attr == "extend":
        return _Growth(statement, tuple(last.elts), True) if isinstance(last, _DISPLAYS) else None
    return _Growth(statement, (last,), inside=False)


def _takes_callbacks(facts: Facts, call: ast.Call, use: ast.AST) -> bool:
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("fit", "fit_generator"):
        return False
    return fits.argument(facts, call, "callbacks") is use
