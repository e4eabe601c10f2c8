"""What holds a value: the statements that bind it, or the attribute that it stands in."""

from __future__ import annotations

import ast

from ..program.bindings import Binding
from ..program.call_sites import passed
from ..program.parts import is_super
from .facts import Facts

Key = frozenset[tuple[object, ...]]


def held_by(facts: Facts, expr: ast.AST) -> Key:
    """The bindings that hold a model, through parameters, or the attribute that does.

    One statement may bind several: `student, teacher = net(), net()`.
    """
    found: set[tuple[object, ...]] = set()
    seen: set[ast.AST] = set()
    queue = [expr]
    while queue:
        node = queue.pop()
        if node in seen:
            continue
        seen.add(node)
        if _is_layer(node):
            queue.append(node.func.value)  # type: ignore[attr-defined]
            continue
        if not isinstance(node, ast.Name):
            text = getattr(node, "attr", None) or ast.unparse(node)
            found.add((node if isinstance(node, ast.Call) else text,))
            continue
        for binding in facts.bindings(node):
            handed = _handed(facts, binding)
            queue.extend(handed)
            found.update([] if handed else [(binding.node, *binding.path)])
    return frozenset(found)


def _is_layer(node: ast.AST) -> bool:
    """`net.get_layer("head")`, a part of what `net` holds, whenever it is asked for."""
    func = node.func if isinstance(node, ast.Call) else None
    return isinstance(func, ast.Attribute) and func.attr == "get_layer"


def _handed(facts: Facts, binding: Binding) -> list[ast.AST]:
    """What has another name for the same value: `learner = net`, `learner, rate = net, 0.1`."""
    if binding.kind == "param":
        return passed_to(facts, binding.node)
    part = binding.part
    return [part] if isinstance(part, ast.Name) and binding.kind == "assign" else []


def passed_to(facts: Facts, arg: ast.AST) -> list[ast.AST]:
    """What the calls of its function give to a parameter; to `self`, what a method is called on."""
    function = facts.index.parents[facts.index.parents[arg]]
    given = (_passed(facts, call, function, arg) for call in facts.call_sites(function))
    return [value for value in given if value is not None]


def _passed(facts: Facts, call: ast.Call, function: ast.AST, arg: ast.AST) -> ast.AST | None:
    given = passed(call, function, arg, facts.classes)
    is_method = given is None and isinstance(call.func, ast.Attribute)
    if is_method and is_self(facts, arg) and not is_super(call.func.value):  # type: ignore[attr-defined]
        return call.func.value  # type: ignore[attr-defined, no-any-return]
    return given


def is_self(facts: Facts, arg: ast.AST) -> bool:
    """Whether a parameter is the object that a method of the project is called on."""
    function = facts.index.parents.get(facts.index.parents[arg])
    if function is None or facts.classes.method_of(function) is None:
        return False
    args: ast.arguments = function.args  # type: ignore[attr-defined]
    return [*args.posonlyargs, *args.args][:1] == [arg]


def holders(facts: Facts, expr: ast.AST) -> set[object]:
    """The same without the part of a statement's value that it is.

    Not what made the model: one function may make a model and its target. A call that is passed
    on without a name stands for itself.
    """
    return {key[0] for key in held_by(facts, expr)}
