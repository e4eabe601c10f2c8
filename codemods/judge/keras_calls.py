"""What Keras calls by itself: hooks of callbacks, methods of layers, the model of a callback."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..program.parts import methods
from ..program.program import Program


def layer_calls(program: Program, calls: list[ast.Call]) -> Iterator[tuple[ast.arg, ast.expr]]:
    """The parameters of the methods `call` of layers that Keras runs, with what they are given."""
    for call in calls:
        for cls in program.instances(call.func).nodes:
            for method in methods(cls, ("call",)):
                yield from zip(method.args.args[1:], call.args)


def handed_to_methods(program: Program, nodes: list[ast.AST]) -> Iterator[tuple[ast.AST, str]]:
    """The parameters of methods that outside code calls: of layers, constraints, models."""
    for cls in (node for node in nodes if isinstance(node, ast.ClassDef)):
        if any(program.names(base) for base in cls.bases):
            for method in methods(cls):
                yield from ((arg, method.name) for arg in method.args.args[1:])


def handed_to_hooks(nodes: list[ast.AST]) -> Iterator[tuple[ast.AST, str]]:
    """The parameters of what Keras calls while it trains, with the name by which it does."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef) and is_hook(node.name):
            yield from ((arg, node.name) for arg in node.args.args[1:])
        elif isinstance(node, ast.keyword) and isinstance(node.value, ast.Lambda):
            hook = node.arg if node.arg and is_hook(node.arg) else ""
            yield from ((arg, hook) for arg in node.value.args.args if hook)


def asks_own_model(node: ast.AST | None) -> bool:
    """`self.model.predict(x)`: the model that Keras hands to a callback."""
    func = node.func if isinstance(node, ast.Call) else None
    return is_own_model(getattr(func, "value", None))


def is_own_layer(func: ast.AST | None) -> bool:
    """`self.model` of `self.model(x)`, and `self.model.layers[0]`, `self.model.get_layer("a")`."""
    if is_own_model(func):
        return True
    if not isinstance(func, (ast.Subscript, ast.Call)):
        return False
    while isinstance(func, (ast.Subscript, ast.Call, ast.Attribute)) and not is_own_model(func):
        func = func.func if isinstance(func, ast.Call) else func.value
    return is_own_model(func)


def is_own_model(expr: ast.AST | None) -> bool:
    """`self.model`, which Keras gives a callback."""
    is_model = isinstance(expr, ast.Attribute) and expr.attr == "model"
    return is_model and isinstance(expr.value, ast.Name) and expr.value.id == "self"  # type: ignore[union-attr]


def is_hook(name: str) -> bool:
    """Whether callbacks have a method of that name."""
    return name.startswith("on_") and name.endswith(("_begin", "_end"))
