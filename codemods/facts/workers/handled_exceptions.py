"""Errors behind which a program goes on: a handler takes them, or `contextlib.suppress`."""

from __future__ import annotations

import ast

from ..by_rank import EXITS
from ..facts import Facts
from ..scopes import FunctionNode
from ..walks import reached

_ALL = ("Exception", "BaseException")
_SUPPRESS = "contextlib.suppress"


def is_caught(facts: Facts, jump: ast.Raise, raised: ast.expr | None) -> bool:
    """Whether something in this function, or all that call it, may go on behind an error."""
    own = _goes_on(facts, jump, None)
    if own is not None:
        return own
    name = None if raised is None else ast.unparse(raised)
    function = facts.function(jump)
    if name is None or function is None:
        return False
    found = [_goes_on(facts, site, name) for site in _sites(facts, function)]
    return True in found


def _sites(facts: Facts, function: ast.AST) -> list[ast.Call]:
    """The calls that lead to a function, by way of others that take no errors either."""

    def callers(call: ast.Call) -> list[ast.Call]:
        around = facts.function(call)
        is_taken = _goes_on(facts, call, None) is not None
        return [] if around is None or is_taken else facts.call_sites(around)

    return list(reached(facts.call_sites(function), callers))


def _goes_on(facts: Facts, place: ast.AST, name: str | None) -> bool | None:
    """Whether what takes an error around a place goes on behind it; None: nothing takes it.

    With a name, only what takes errors of that name.
    """
    child = place
    for parent in facts.parents(place):
        if isinstance(parent, FunctionNode):
            return None
        if isinstance(parent, ast.Try) and child in parent.body and parent.handlers:
            taking = [h for h in parent.handlers if name is None or _takes(h, name)]
            if taking:
                return not any(_ends_all(facts, handler.body[-1]) for handler in taking)
        if isinstance(parent, ast.With) and child in parent.body and _suppresses(facts, parent):
            return True
        child = parent
    return None


def _takes(handler: ast.ExceptHandler, name: str) -> bool:
    types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(each is None or ast.unparse(each) in (name, *_ALL) for each in types)


def _ends_all(facts: Facts, last: ast.stmt) -> bool:
    """Whether a handler ends in an error of its own, or in the end of the program."""
    call = last.value if isinstance(last, ast.Expr) else None
    is_exit = isinstance(call, ast.Call) and facts.name(call.func) in EXITS
    return isinstance(last, ast.Raise) or is_exit


def _suppresses(facts: Facts, block: ast.With) -> bool:
    calls = (i.context_expr for i in block.items if isinstance(i.context_expr, ast.Call))
    return any(facts.name(call.func) == _SUPPRESS for call in calls)
