"""The part of an expression that every worker has to evaluate, where the rest only computes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile

from ...program.node_fields import children
from ..facts import Facts
from .effects import Effects
from .steady import is_settled, is_steady

# What evaluates all of its parts, each once.
_WHOLE = (
    ast.Attribute,
    ast.BinOp,
    ast.Call,
    ast.FormattedValue,
    ast.JoinedStr,
    ast.Slice,
    ast.Starred,
    ast.Subscript,
    ast.Tuple,
    ast.UnaryOp,
    ast.keyword,
)
_NO_VALUES = (ast.FormattedValue, ast.Slice, ast.Starred, ast.keyword)


def core_of(facts: Facts, effects: Effects, value: ast.expr, statement: ast.stmt) -> ast.expr:
    """The smallest part of a value that has its effect: `step(x)` of `f"{n}: {float(step(x))}"`.

    What stands before it must mean the same behind it, and what is around it only computes.
    """
    found = value
    for part in _inwards(effects, value):
        parts = children(part)
        before = list(takewhile(effects.skippable, parts))
        if not all(_may_wait(facts, part, each, statement) for each in before):
            break
        inner = parts[len(before)]
        if isinstance(inner, ast.expr) and not isinstance(inner, _NO_VALUES):
            found = inner
    return found


def _inwards(effects: Effects, part: ast.AST) -> Iterator[ast.AST]:
    """A part that computes by itself and holds one that doesn't, that one, and so on."""
    while isinstance(part, _WHOLE) and effects.only_computes(part):
        with_effects = [each for each in children(part) if not effects.skippable(each)]
        if len(with_effects) != 1:
            return
        yield part
        (part,) = with_effects


def _may_wait(facts: Facts, around: ast.AST, part: ast.AST, statement: ast.stmt) -> bool:
    """Whether a part means the same behind the one with the effect.

    A name that is handed on is no more than looked up: what is done with that comes after both.
    """
    if isinstance(part, ast.Attribute) and part is getattr(around, "func", None):
        return _may_wait(facts, around, part.value, statement)
    is_handed_on = isinstance(around, (ast.Call, ast.Tuple, ast.Subscript, ast.Starred))
    if is_handed_on and isinstance(part, ast.expr) and is_steady(facts, part, statement):
        return True
    return is_settled(facts, part, statement)
