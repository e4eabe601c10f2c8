"""Lists of callbacks that are only ever built from displays and grown in sight."""

from __future__ import annotations

import ast

from ...library.sessions import HOOKS, position
from ...program.records import NamedTuple
from ..by_rank import asks_for_rank
from ..facts import Facts
from ..functions import returns
from ..scopes import Binding
from ..training import fits

_DISPLAYS = (ast.List, ast.Tuple)
_LOOKING = ("builtins.len", "builtins.print")
_GROWING = ("append", "extend", "insert")


class BuiltList:
    """What is put in a list: in displays, and one by one by statements."""

    def __init__(self) -> None:
        self.elements: list[ast.expr] = []
        self.added: list[tuple[ast.stmt, ast.expr]] = []

    def grow(self, growth: _Growth) -> None:
        """Add what one use of the list adds."""
        if growth.inside:
            self.elements += growth.elements
        else:
            self.added += [(growth.statement, element) for element in growth.elements]


def built_list(facts: Facts, name: ast.expr) -> BuiltList | None:
    """What a list holds that a name or a call stands for; None where something else may happen."""
    found = BuiltList()
    is_seen = _value if isinstance(name, (ast.Call, ast.IfExp)) else _follow
    return found if is_seen(facts, name, found) else None


def _follow(facts: Facts, name: ast.AST, found: BuiltList) -> bool:
    """Collect what a name's list holds; False when something else may happen to it."""
    bindings = _bindings(facts, name)
    is_built = all(_is_assigned(b) and _value(facts, _given(b), found) for b in bindings)
    if not bindings or not is_built:
        return False
    uses = facts.index.loads.get(_spelling(name), ())
    growths = [_growth(facts, use) for use in uses if _bindings(facts, use) == bindings]
    for growth in growths:
        if growth is not None:
            found.grow(growth)
    return None not in growths


def _is_assigned(binding: Binding) -> bool:
    return binding.kind in ("assign", "aug") and not binding.path


def _given(binding: Binding) -> ast.AST | None:
    return binding.value.value if isinstance(binding.value, ast.AugAssign) else binding.value


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
    return bool(results) and all(_result(facts, result, found) for result in results)


def _result(facts: Facts, result: ast.expr | None, found: BuiltList) -> bool:
    """A name whose list is built in the function, or a display."""
    if isinstance(result, _DISPLAYS):
        return _value(facts, result, found)
    return result is not None and _follow(facts, result, found)


class _Growth(NamedTuple):
    statement: ast.stmt
    elements: tuple[ast.expr, ...]
    inside: bool  # the elements stand in a display of their own


_READ = _Growth(ast.Pass(), (), inside=False)


def _growth(facts: Facts, use: ast.AST) -> _Growth | None:
    """What a use of the list adds to it: `_READ` for nothing, None for who knows what."""
    parent = facts.parent(use)
    if _reads(facts, parent, use):
        return _READ
    is_growing = isinstance(parent, ast.Attribute) and parent.attr in _GROWING
    call = facts.parent(parent) if isinstance(parent, ast.Attribute) and is_growing else None
    if not isinstance(call, ast.Call) or not call.args:
        return None
    statement = facts.parent(call)
    return _of_method(call, statement) if isinstance(statement, ast.Expr) else None


def _reads(facts: Facts, parent: ast.AST | None, use: ast.AST) -> bool:
    """Whether the list is only handed on there, to a `fit` or a `return`, or looked at."""
    if isinstance(parent, ast.keyword):
        return parent.arg == "callbacks" or parent.arg in HOOKS
    if isinstance(parent, ast.Call):
        is_given = use in parent.args and _takes_callbacks(facts, parent, use)
        return is_given or facts.name(parent.func) in _LOOKING
    return isinstance(parent, (ast.Return, ast.Starred))


def _of_method(call: ast.Call, statement: ast.stmt) -> _Growth | None:
    """`append(x)`, `insert(0, x)`, `extend([x, y])`."""
    last = call.args[-1]
    if getattr(call.func, "attr", "") != "extend":
        return _Growth(statement, (last,), inside=False)
    return _Growth(statement, tuple(last.elts), True) if isinstance(last, _DISPLAYS) else None


def _takes_callbacks(facts: Facts, call: ast.Call, use: ast.AST) -> bool:
    where = position(facts.name(call.func) or "", "hooks")
    if where is not None:
        return facts.argument(call, "hooks", where) is use
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("fit", "fit_generator"):
        return False
    return fits.argument(facts, call, "callbacks") is use
