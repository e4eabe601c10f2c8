"""Which expressions mean the same before and after what is moved in front of their statement."""

from __future__ import annotations

import ast

from ...library.words import table
from ...program.node_fields import children, within
from ..facts import Facts
from ..scopes import EACH, Binding
from .confined_names import is_rebound_elsewhere
from .evaluation import arguments_of

_OF_TEXTS = table("os.path: abspath basename dirname expanduser join normpath splitext")
_OF_NUMBERS = table("builtins: float int round str")
_COUNTING = {"builtins.range": (EACH,), "builtins.enumerate": (EACH, 0)}  # where the number is
_PARTS = (
    ast.Constant,
    ast.BinOp,
    ast.UnaryOp,
    ast.FormattedValue,
    ast.JoinedStr,
    ast.Tuple,
)


def is_steady(facts: Facts, value: ast.expr, statement: ast.stmt) -> bool:
    """Whether it means the same before and after what is hoisted behind it has run."""
    if isinstance(value, ast.Name):
        rebinds = (n.target.id for n in within(statement) if isinstance(n, ast.NamedExpr))
        return not is_rebound_elsewhere(facts, value) and value.id not in rebinds
    if isinstance(value, ast.Call):
        return _is_path(facts, value, statement)
    is_module = isinstance(value, ast.Attribute) and facts.name(value) is not None
    return is_module or isinstance(value, ast.Constant)


def is_settled(facts: Facts, part: ast.AST, statement: ast.stmt) -> bool:
    """The same of what is computed of constants and of numbers that count: nobody changes those."""
    if isinstance(part, ast.Name):
        return is_steady(facts, part, statement) and _counts(facts, part)
    if isinstance(part, ast.Call):
        is_known = facts.name(part.func) in _OF_NUMBERS or _is_format(part.func)
        return is_known and all(is_settled(facts, a, statement) for a in arguments_of(part))
    is_plain = isinstance(part, _PARTS)
    return is_plain and all(is_settled(facts, each, statement) for each in children(part))


def _is_format(func: ast.expr) -> bool:
    """`"{}".format`."""
    is_method = isinstance(func, ast.Attribute) and func.attr == "format"
    return is_method and isinstance(func.value, ast.Constant)  # type: ignore[attr-defined]


def _counts(facts: Facts, name: ast.Name) -> bool:
    """Whether it is a number of a loop, `for epoch in range(9)`, or written as one."""
    bound = facts.names.bindings(name)
    return bool(bound) and all(_is_number(facts, binding) for binding in bound)


def _is_number(facts: Facts, binding: Binding) -> bool:
    value = binding.value
    if binding.kind == "for" and isinstance(value, ast.Call):
        return _COUNTING.get(facts.name(value.func) or "") == binding.path
    given = value.value if isinstance(value, ast.AugAssign) else binding.part
    is_assigned = binding.kind in ("assign", "aug") and isinstance(given, ast.Constant)
    return is_assigned and isinstance(given.value, (int, float))  # type: ignore[union-attr]


def _is_path(facts: Facts, call: ast.Call, statement: ast.stmt) -> bool:
    """`os.path.join(args.out, "a.npy")`: of texts, which nobody changes in place."""
    return facts.name(call.func) in _OF_TEXTS and all(
        is_steady(facts, each, statement) or _is_setting(facts, each, statement)
        for each in arguments_of(call)
    )


def _is_setting(facts: Facts, value: ast.expr, statement: ast.stmt) -> bool:
    """`args.out`, which the program sets nowhere."""
    if not isinstance(value, ast.Attribute) or value.attr in facts.index.attribute_stores:
        return False
    return isinstance(value.value, ast.Name) and is_steady(facts, value.value, statement)
