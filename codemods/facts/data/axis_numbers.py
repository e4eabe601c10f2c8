"""How many axes arrays have, by the text: rows of `[n]` and of `[n, 1]` don't meet one by one."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ...library.names import normal
from ...library.row_counts import (
    AS_WIDE,
    ELEMENTWISE,
    LOADERS,
    REDUCING,
    SAME_METHODS,
    SPLIT,
    SPREAD,
    WIDENING,
    shape_argument,
)
from ..facts import Facts

_DEEP = 20  # steps from where an array is read to where it is made


def axes_of(facts: Facts, array: ast.AST, deep: int = _DEEP) -> int | None:
    """Their number; None: unknown."""
    made = facts.origins(array)
    if not deep or not made.complete or len(made.items) != 1:
        return None
    node, path = made.items[0]
    return _unpacked(facts, node, path, deep - 1) if path else _made(facts, node, deep - 1)


def _unpacked(facts: Facts, made: ast.AST, path: Sequence[object], deep: int) -> int | None:
    """Of what a loader or a split gives: labels of Keras' data have one axis, CIFAR's two."""
    name = normal(facts.name(made.func) or "") if isinstance(made, ast.Call) else ""
    last = path[-1]
    if name == SPLIT and isinstance(last, int) and last // 2 < len(made.args):  # type: ignore[attr-defined]
        return axes_of(facts, made.args[last // 2], deep)  # type: ignore[attr-defined]
    if not name.startswith(LOADERS) or last not in (0, 1):
        return None
    if "sklearn" in name:
        return 1 if last == 1 else 2
    return (2 if "cifar" in name else 1) if last == 1 else None


def _made(facts: Facts, made: ast.AST, deep: int) -> int | None:
    if isinstance(made, ast.Constant):
        return 0
    if isinstance(made, (ast.List, ast.Tuple)):
        inner = axes_of(facts, made.elts[0], deep) if made.elts else None
        return None if inner is None else inner + 1
    if isinstance(made, ast.BinOp) and not isinstance(made.op, ast.MatMult):
        return _widest(facts, [made.left, made.right], deep)
    if isinstance(made, ast.Compare):
        return _widest(facts, [made.left, *made.comparators], deep)
    if isinstance(made, ast.UnaryOp):
        return axes_of(facts, made.operand, deep)
    if isinstance(made, ast.Subscript):
        return _part(axes_of(facts, made.value, deep), made.slice)
    return _of_call(facts, made, deep) if isinstance(made, ast.Call) else None


def _widest(facts: Facts, parts: list[ast.expr], deep: int) -> int | None:
    """Of what is computed element by element."""
    found = [axes_of(facts, part, deep) for part in parts]
    return None if None in found else max(found)  # type: ignore[type-var]


def _part(axes: int | None, index: ast.expr) -> int | None:
    """`x[:, 0]` has an axis less, and `x[:, None]` one more."""
    for each in index.elts if isinstance(index, ast.Tuple) else [index]:
        if isinstance(each, ast.Slice) or axes is None:
            continue
        value = each.value if isinstance(each, ast.Constant) else 0
        is_new = value is None or getattr(each, "attr", "") == "newaxis"
        is_number = isinstance(each, ast.Constant) and isinstance(value, int)
        axes = axes + 1 if is_new else axes - 1 if is_number else None
    return axes


def _of_call(facts: Facts, call: ast.Call, deep: int) -> int | None:
    name = normal(facts.name(call.func) or "")
    method = "" if name else getattr(call.func, "attr", "")
    if shape_argument(name, method) is not None:
        return _shaped(facts, call, name, method)
    if name in AS_WIDE or name in WIDENING:
        inner = axes_of(facts, call.args[0], deep) if call.args else None
        return None if inner is None else inner + (name in WIDENING)
    if name in ELEMENTWISE:
        return _widest(facts, call.args, deep)
    if not method or method == "dot":
        return None
    return _of_method(axes_of(facts, call.func.value, deep), call, method)  # type: ignore[attr-defined]


def _of_method(axes: int | None, call: ast.Call, method: str) -> int | None:
    if method in SAME_METHODS:
        return axes
    if method == "reshape":
        is_tuple = bool(call.args) and isinstance(call.args[0], (ast.Tuple, ast.List))
        given = call.args[0].elts if is_tuple else call.args  # type: ignore[attr-defined]
        return (
            None if any(isinstance(each, (ast.Starred, ast.Name)) for each in given) else len(given)
        )
    if method not in REDUCING or axes is None:
        return None
    known = {k.arg: k.value for k in call.keywords}
    axis = known.get("axis", call.args[0] if call.args else None)
    kept = known.get("keepdims")
    if kept is not None:
        return axes if isinstance(kept, ast.Constant) and kept.value is True else None
    is_one = axis is not None and ast.unparse(axis).lstrip("-").isdigit()
    return axes - 1 if is_one else None


def _shaped(facts: Facts, call: ast.Call, name: str, method: str) -> int | None:
    """As many as the shape has numbers."""
    last = name.rpartition(".")[2] or method
    if last == "linspace":
        return 1
    if last in SPREAD:
        return None if any(isinstance(each, ast.Starred) for each in call.args) else len(call.args)
    given = facts.argument(call, *shape_argument(name, method))  # type: ignore[misc]
    made = facts.origins(given).only if given is not None else None
    if isinstance(made, (ast.Tuple, ast.List)):
        return None if any(isinstance(each, ast.Starred) for each in made.elts) else len(made.elts)
    is_number = isinstance(made, ast.Constant) and isinstance(made.value, int)
    is_length = isinstance(made, ast.Call) and facts.name(made.func) == "builtins.len"
    return 1 if is_number or is_length else None
