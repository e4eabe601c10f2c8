"""The part of an expression that every worker has to evaluate, where the rest only computes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile

from ...library.words import table, words
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
# What reads no iterator: that would run where it is read, and not where it is made.
_AT_ONCE = table("builtins: abs bool float format int len repr round str")
_OF_VALUES = ("numpy.", "tensorflow.", "math.")
_ITERATE = table("numpy: fromiter")
_GIVE_LISTS = words("run eval evaluate predict")  # of sessions, tensors and models
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
        if not _is_used_at_once(facts, part, inner):
            break
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


def _is_used_at_once(facts: Facts, around: ast.AST, inner: ast.AST) -> bool:
    """Whether what an inner part gives is a value, and no iterator that runs where it is read."""
    if isinstance(inner, (ast.GeneratorExp, ast.Lambda)):
        return False
    if isinstance(around, ast.Starred):
        method = inner.func if isinstance(inner, ast.Call) else None
        return isinstance(method, ast.Attribute) and method.attr in _GIVE_LISTS
    if not isinstance(around, ast.Call) or inner is around.func:
        return True
    name = facts.name(around.func) or ""
    is_known = name in _AT_ONCE or (name.startswith(_OF_VALUES) and name not in _ITERATE)
    return is_known or (isinstance(around.func, ast.Attribute) and around.func.attr == "format")


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
