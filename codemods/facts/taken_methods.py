"""Methods that are taken as values, and attributes that are set, in whatever spelling."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from ..program.bindings import Binding
from ..program.records import NamedTuple
from .facts import Facts, recorded
from .roles import Role

# -- taken methods -------------------------------------------------------------------------------
# Methods that are taken as values: `train = model.fit`, `getattr(model, "fit")`, `methodcaller`.
#
# Where they are called, and with what, isn't followed.

_BY_NAME = ("operator.attrgetter", "operator.methodcaller")


class Taken(NamedTuple):
    """The expression that takes a method, its name, and its object, where one is named."""

    use: ast.expr
    method: str
    owner: ast.expr | None


def taken_methods(facts: Facts, names: Collection[str]) -> Iterator[Taken]:
    """The methods of these names that are taken and not called on the spot."""
    called = {call.func for call in facts.index.calls}
    for use in (use for name in names for use in facts.index.loads.get(name, ())):
        if isinstance(use, ast.Attribute) and use not in called:
            yield Taken(use, use.attr, use.value)
    for call in facts.calls_of("builtins.getattr"):
        for method in _some_of(facts, call.args[1:2], names):
            yield Taken(call, method, call.args[0])
    for call in facts.calls_of(*_BY_NAME):
        for method in _some_of(facts, call.args[:1], names):
            yield Taken(call, method, None)


def _some_of(facts: Facts, given: list[ast.expr], names: Collection[str]) -> list[str]:
    """Those of the names that are given, or may be."""
    if _written(facts).isdisjoint(names):  # most files: their values aren't followed for that
        return []
    values = dict.fromkeys(name for each in given for name in texts(facts, each)[0])
    return [value for value in values if value in names]


@recorded
def _written(facts: Facts) -> frozenset[str]:
    """The texts that stand in the file."""
    values = (node.value for node in facts.index.nodes(ast.Constant))
    return frozenset(value for value in values if isinstance(value, str))


def attributes_read(facts: Facts, expr: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """The objects and the attributes of them that an expression may be: by `getattr` as well."""
    for node in dict.fromkeys((expr, *facts.origins(expr).nodes)):
        if isinstance(node, ast.Attribute):
            yield node.value, node.attr
        elif isinstance(node, ast.Call) and facts.name(node.func) == "builtins.getattr":
            name = node.args[1] if len(node.args) > 1 else None
            if isinstance(name, ast.Constant):
                yield node.args[0], str(name.value)


def texts(facts: Facts, expr: ast.expr) -> tuple[list[str], bool]:
    """The texts that are seen to get to an expression; whether it can be nothing else."""
    found = facts.origins(expr)
    known = [node.value for node in found.nodes if isinstance(node, ast.Constant)]
    seen = [value for value in known if isinstance(value, str)]
    return seen, found.complete and len(seen) == len(found.items)


def unseen_methods(facts: Facts, role: Role) -> Iterator[Taken]:
    """`getattr(model, word)(…)` of which nobody sees the word, but in a class's own methods."""
    for call in facts.calls_of("builtins.getattr"):
        around = facts.parent(call)
        if not (isinstance(around, ast.Call) and around.func is call and len(call.args) > 1):
            continue
        owner, word = call.args[:2]
        if facts.classes.self_class(owner) is None and facts.role(owner) is role:
            if _may_be_any(facts, word):
                yield Taken(call, "", owner)


def _may_be_any(facts: Facts, expr: ast.expr) -> bool:
    """Whether nobody sees which text an expression is, nor how it begins (`f"block_{number}"`)."""
    if texts(facts, expr)[1]:
        return False
    first = expr.values[0] if isinstance(expr, ast.JoinedStr) and expr.values else expr
    while isinstance(first, ast.BinOp):
        first = first.left
    return not (isinstance(first, ast.Constant) and first.value)


# -- attribute settings --------------------------------------------------------------------------
# Where a program sets an attribute, in whatever spelling: `x.a = …`, `setattr(x, "a", …)`.


class Setting(NamedTuple):
    """One place that sets an attribute, or may set it."""

    place: ast.expr  # the target, or the call
    owner: ast.expr
    value: ast.expr | None  # of `+= …` what is added; None: nobody sees what, or whether


def settings(facts: Facts, names: Collection[str]) -> Iterator[Setting]:
    """Every place that sets an attribute of one of these names; one that nobody sees may be it."""
    for name in names:
        for target, binding in facts.attribute_stores.get(name, []):
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
