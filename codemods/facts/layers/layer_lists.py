"""Which expressions make the layers of a list that a loop runs over.

A list is known if it is made in one place and only read elsewhere; `append` in the method or
block that makes it counts as a part of it. Everything else is unknown.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..facts import Facts

MAKERS = ("__init__", "build")
HIDDEN = ("builtins.setattr", "builtins.vars", "builtins.exec", "builtins.eval")
READERS = frozenset(
    ("tensorflow.keras.Sequential",
     *(f"builtins.{name}" for name in ("len", "enumerate", "zip", "reversed", "list")))
)  # fmt: skip


def made_once(facts: Facts, expr: ast.expr) -> ast.expr | None:
    """The only value that a name or an attribute of `self` ever has; None if that is unknown."""
    if isinstance(expr, ast.Name):
        bindings = facts.names.bindings(expr)
        if len(bindings) != 1 or bindings[0].kind != "assign" or bindings[0].path:
            return None
        value = bindings[0].value
    else:
        value = _stored(facts, expr)
    return value if isinstance(value, ast.expr) else None


def _stored(facts: Facts, expr: ast.expr) -> ast.AST | None:
    """What `self.name` holds, if one method that makes the instance stores it, and nobody else."""
    if not isinstance(expr, ast.Attribute) or any(facts.calls_of(*HIDDEN)):
        return None
    cls = facts.classes.self_class(expr.value)
    stores = facts.index.attribute_stores.get(expr.attr, [])
    own = [store for store in stores if _may_be(facts, store[0].value, cls)]
    if cls is None or len(own) != 1:
        return None
    target, binding = own[0]
    method = facts.function(target)
    is_made = facts.classes.self_class(target.value) is cls and method is not None
    is_plain = binding.kind == "assign" and not binding.path
    return binding.value if is_made and is_plain and method.name in MAKERS else None  # type: ignore[union-attr]


def _may_be(facts: Facts, instance: ast.expr, cls: ast.ClassDef | None) -> bool:
    """Whether an expression may be an instance of a class: it is not the `self` of another one."""
    other = facts.classes.self_class(instance)
    return cls is None or other is None or other in facts.classes.family(cls)


def elements(facts: Facts, layers: ast.expr) -> list[ast.expr] | None:
    """The expressions that make the elements of a list; None if not all of them are known."""
    value = made_once(facts, layers)
    if isinstance(value, ast.ListComp):
        listed = [value.elt]
    elif isinstance(value, (ast.List, ast.Tuple)):
        listed = value.elts
    else:
        return None
    for use in _uses(facts, layers):
        appended = _appended(facts, use)
        if appended is None and not _is_read(facts, use):
            return None
        listed = [*listed, *([] if appended is None else [appended])]
    known = listed and not any(isinstance(element, ast.Starred) for element in listed)
    return listed if known else None


def _uses(facts: Facts, layers: ast.expr) -> Iterator[ast.AST]:
    """Every place that reads the name, or an attribute of that name on whatever object."""
    if isinstance(layers, ast.Attribute):
        cls = facts.classes.self_class(layers.value)
        for use in facts.index.loads.get(layers.attr, ()):
            if isinstance(use, ast.Attribute) and _may_be(facts, use.value, cls):
                yield use
        return
    assert isinstance(layers, ast.Name)
    bindings = facts.names.bindings(layers)
    for use in facts.index.loads.get(layers.id, ()):
        if isinstance(use, ast.Name) and facts.names.bindings(use) == bindings:
            yield use


def _appended(facts: Facts, use: ast.AST) -> ast.expr | None:
    """`element` of `layers.append(element)`."""
    method = facts.parent(use)
    call = None if method is None else facts.parent(method)
    if not isinstance(method, ast.Attribute) or method.attr != "append":
        return None
    if not isinstance(call, ast.Call) or call.func is not method:
        return None
    return call.args[0] if len(call.args) == 1 and not call.keywords else None


def _is_read(facts: Facts, use: ast.AST) -> bool:
    """Whether a place can't change the list: it is run over, counted, or one element is taken."""
    around = facts.parent(use)
    if isinstance(around, (ast.For, ast.comprehension)):
        return around.iter is use
    if isinstance(around, ast.Starred):
        return isinstance(around.ctx, ast.Load)
    if isinstance(around, ast.Subscript):
        return around.value is use and isinstance(around.ctx, ast.Load) and _is_one(around.slice)
    return isinstance(around, ast.Call) and facts.name(around.func) in READERS


def _is_one(index: ast.expr) -> bool:
    return not isinstance(index, ast.Slice)
