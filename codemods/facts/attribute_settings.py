"""Where a program sets an attribute, in whatever spelling: `x.a = …`, `setattr(x, "a", …)`."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from ..program.records import NamedTuple
from .facts import Facts
from .scopes import Binding
from .taken_methods import texts


class Setting(NamedTuple):
    """One place that sets an attribute, or may set it."""

    place: ast.expr  # the target, or the call
    owner: ast.expr
    value: ast.expr | None  # of `+= …` what is added; None: nobody sees what, or whether


def settings(facts: Facts, names: Collection[str]) -> Iterator[Setting]:
    """Every place that sets an attribute of one of these names; one that nobody sees may be it."""
    for name in names:
        for target, binding in facts.index.attribute_stores.get(name, []):
            yield Setting(target, target.value, _value(binding))
    for call, owner, text, value in _setters(facts):
        may_be, is_sure = _is_one_of(facts, text, names)
        if may_be:
            yield Setting(call, owner, value if is_sure else None)


def _value(binding: Binding) -> ast.expr | None:
    if isinstance(binding.node, ast.AugAssign):
        return binding.node.value
    is_seen = binding.kind == "assign" and isinstance(binding.part, ast.expr)
    return binding.part if is_seen else None  # type: ignore[return-value]


def _setters(facts: Facts) -> Iterator[tuple[ast.Call, ast.expr, ast.expr, ast.expr]]:
    for call in facts.calls_of("builtins.setattr"):
        if len(call.args) == 3:
            yield call, call.args[0], call.args[1], call.args[2]
    for call in facts.calls("__setattr__"):
        if len(call.args) == 2:
            assert isinstance(call.func, ast.Attribute)
            yield call, call.func.value, call.args[0], call.args[1]


def _is_one_of(facts: Facts, text: ast.expr, names: Collection[str]) -> tuple[bool, bool]:
    """Whether a text may be one of the names, and whether it can be nothing else."""
    known, is_all = texts(facts, text)
    named = [each for each in known if each in names]
    return bool(named) or not is_all, is_all and len(named) == len(known)
