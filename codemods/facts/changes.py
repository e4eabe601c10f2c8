"""What calls change in place, as `library.changes` says it of their names."""

from __future__ import annotations

import ast

from ..library.changes import Place, changed
from ..library.effects import leaves_alone
from ..library.purity import METHODS, TELLING
from .facts import Facts


def changes(facts: Facts, call: ast.Call) -> tuple[Place, ...]:
    """The arguments of a call that it changes, by position or keyword, and the receiver.

    A text is changed by no method: where the value of `a.partition(b)` is used, `a` is a text.
    """
    name = facts.name(call.func)
    if name is None and isinstance(call.func, ast.Attribute):
        name = "." + call.func.attr
        if name == ".partition" and not isinstance(facts.parent(call), ast.Expr):
            return ()
    return () if name is None else changed(name, _keywords(call), [])


def _keywords(call: ast.Call) -> list[str]:
    return [k.arg for k in call.keywords if k.arg is not None and not _is_off(k.value)]


def _is_off(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and not value.value


def is_computing(facts: Facts, call: ast.Call, func: ast.Attribute) -> bool:
    """Whether a method of that name gives a value, or tells a person something, and no more.

    Nobody computes for nothing: one whose value is not used changes something.
    """
    if func.attr in TELLING:
        return True
    is_used = not isinstance(facts.parent(call), ast.Expr)
    is_queue = func.attr == "get" and not call.args
    return func.attr in METHODS and is_used and not is_queue and not _is_foreign(facts, func.value)


def _is_foreign(facts: Facts, receiver: ast.expr) -> bool:
    """Whether it may be an object of a library that no table knows: its `get` may take away."""
    makers = [facts.name(n.func) for n in facts.origins(receiver).nodes if isinstance(n, ast.Call)]
    return any(name is not None and not leaves_alone(name) for name in makers)
