"""Which variables an optimizer is given, spelled so that they can be read again after the call."""

from __future__ import annotations

import ast
from typing import NamedTuple

from ..facts import Facts
from ..roles import Role
from ..training.pattern import training_of

# What holds everything that the trainable ones are part of.
WHOLE = {"trainable_variables": "variables", "trainable_weights": "weights"}
ONCE_ONLY = (
    "builtins.zip",
    "builtins.map",
    "builtins.filter",
    "builtins.iter",
    "builtins.enumerate",
)


class Applied(NamedTuple):
    """The variables of one call: `code` reads them, once `pairs` names the argument as a list."""

    code: str
    pairs: str | None = None  # a fresh name
    argument: ast.expr | None = None  # what it stands for

    @property
    def key(self) -> str:
        """The same for calls that train the same variables."""
        return self.code


def applied_variables(facts: Facts, call: ast.Call) -> Applied:
    """The variables of an `apply_gradients` or `minimize` call."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr == "minimize":
        given = facts.argument(call, "var_list", 1)
        code = None if given is None else readable(facts, given)
        return Applied(code or ast.unparse(given or call.func.value))
    given = facts.argument(call, "grads_and_vars", 0)
    assert given is not None
    code = _of_pairs(facts, given)
    if code is not None:
        return Applied(code)
    variable = facts.fresh("variable")
    if isinstance(given, ast.Name) and _is_list(facts, given):
        return Applied(f"[{variable} for _, {variable} in {given.id}]")
    pairs = facts.fresh("grads_and_vars")
    return Applied(f"[{variable} for _, {variable} in {pairs}]", pairs, given)


def _of_pairs(facts: Facts, given: ast.expr) -> str | None:
    """The variables of `zip(gradients, variables)`, of a list of pairs, of a comprehension."""
    if (
        isinstance(given, ast.Call)
        and facts.name(given.func) == "builtins.zip"
        and len(given.args) == 2
    ):
        return readable(facts, given.args[1])
    if isinstance(given, ast.Call) and facts.name(given.func) in (
        "builtins.list",
        "builtins.tuple",
    ):
        return _of_pairs(facts, given.args[0]) if len(given.args) == 1 else None
    if isinstance(given, (ast.List, ast.Tuple)):
        return _of_display(facts, given)
    if isinstance(given, (ast.ListComp, ast.GeneratorExp)):
        return _of_comprehension(facts, given)
    if isinstance(given, ast.Name):
        value = _assigned_here(facts, given)
        return None if value is None else _of_pairs(facts, value)
    return None


def _of_display(facts: Facts, given: ast.expr) -> str | None:
    found = []
    for pair in given.elts:  # type: ignore[attr-defined]
        if not isinstance(pair, ast.Tuple) or len(pair.elts) != 2 or not is_path(pair.elts[1]):
            return None
        found.append(ast.unparse(pair.elts[1]))
    return f"[{', '.join(found)}]"


def _of_comprehension(facts: Facts, given: ast.expr) -> str | None:
    """`[(clip(g), v) for g, v in zip(gradients, variables)]`."""
    generators: list[ast.comprehension] = given.generators  # type: ignore[attr-defined]
    element, loop = given.elt, generators[0]  # type: ignore[attr-defined]
    pair, target = element, loop.target
    if len(generators) != 1 or not isinstance(pair, ast.Tuple) or not isinstance(target, ast.Tuple):
        return None
    names = [ast.unparse(e) for e in (*pair.elts, *target.elts)]
    return _of_pairs(facts, loop.iter) if len(names) == 4 and names[1] == names[3] else None


def readable(facts: Facts, expr: ast.expr) -> str | None:
    """An expression for the same variables (with the untrainable ones beside them) to use again."""
    if isinstance(expr, ast.Attribute) and expr.attr in WHOLE and is_path(expr.value):
        whole = WHOLE[expr.attr] if _has_whole(facts, expr.value) else expr.attr
        return f"{ast.unparse(expr.value)}.{whole}"
    if isinstance(expr, ast.BinOp) and isinstance(expr.op, ast.Add):
        sides = readable(facts, expr.left), readable(facts, expr.right)
        return f"{sides[0]} + {sides[1]}" if all(sides) else None
    if isinstance(expr, (ast.List, ast.Tuple)):
        parts = [_element(facts, element) for element in expr.elts]
        return f"[{', '.join(p for p in parts if p)}]" if all(parts) else None
    if isinstance(expr, ast.Name):
        return _of_name(facts, expr)
    if isinstance(expr, ast.Call) and facts.name(expr.func) in ("builtins.list", "builtins.tuple"):
        return readable(facts, expr.args[0]) if len(expr.args) == 1 else None
    return ast.unparse(expr) if is_path(expr) else None


def _element(facts: Facts, element: ast.expr) -> str | None:
    if isinstance(element, ast.Starred):
        inner = readable(facts, element.value)
        return None if inner is None else f"*{inner}"
    return ast.unparse(element) if is_path(element) else None


def _of_name(facts: Facts, name: ast.Name) -> str | None:
    """A list under a name; if it is read off a model right here, the model itself."""
    value = _assigned_here(facts, name)
    if isinstance(value, (ast.Attribute, ast.BinOp)):
        found = readable(facts, value)
        if found is not None:
            return found
    return name.id if _is_list(facts, name) else None


def _assigned_here(facts: Facts, name: ast.Name) -> ast.expr | None:
    """The value of a name that is bound once, in the function of this use."""
    bindings = facts.names.bindings(name)
    if len(bindings) != 1 or bindings[0].kind != "assign" or bindings[0].path:
        return None
    value = bindings[0].value
    here = facts.function(bindings[0].node) is facts.function(name)
    return value if here and isinstance(value, ast.expr) else None


def _is_list(facts: Facts, name: ast.Name) -> bool:
    """Whether the value can be read a second time: no iterator."""
    nodes = facts.origins(name).items
    return not any(
        isinstance(i.node, ast.GeneratorExp)
        or (
            isinstance(i.node, ast.Call)
            and (facts.name(i.node.func) in ONCE_ONLY or facts.callee(i.node))
        )
        for i in nodes
    )


def is_path(expr: ast.expr) -> bool:
    """`a`, `a.b`, `a[0].b`: reading it again has no effect and gives the same."""
    while isinstance(expr, (ast.Attribute, ast.Subscript)):
        if isinstance(expr, ast.Subscript) and not _is_fixed(expr.slice):
            return False
        expr = expr.value
    return isinstance(expr, ast.Name)


def _is_fixed(key: ast.AST) -> bool:
    return all(
        isinstance(
            n, (ast.Constant, ast.Slice, ast.UnaryOp, ast.USub, ast.Index, ast.Name, ast.Load)
        )
        for n in ast.walk(key)
    )


def _has_whole(facts: Facts, model: ast.expr) -> bool:
    """Whether what has trainable variables is a model or layer, which has `variables` too."""
    if facts.role(model) is Role.MODEL or training_of(facts).is_model(model):
        return True
    cls = facts.values.instance_of(model)
    if cls is not None:
        return any(base.startswith("tensorflow.") for base in facts.classes.library_bases(cls))
    made = facts.origins(model).nodes
    names = [facts.name(n.func) if isinstance(n, ast.Call) else None for n in made]
    return bool(names) and all((name or "").startswith("tensorflow.keras.") for name in names)
