"""What holds a value: the statements that bind it, or the attribute that it stands in."""

from __future__ import annotations

import ast

from .call_sites import passed
from .facts import Facts
from .scopes import Binding

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
        if not isinstance(node, ast.Name):
            text = getattr(node, "attr", None) or ast.unparse(node)
            found.add((node if isinstance(node, ast.Call) else text,))
            continue
        for binding in facts.names.bindings(node):
            handed = _handed(facts, binding)
            queue.extend(handed)
            found.update([] if handed else [(binding.node, *binding.path)])
    return frozenset(found)


def _handed(facts: Facts, binding: Binding) -> list[ast.AST]:
    """What has another name for the same value: `learner = net`, `learner, rate = net, 0.1`."""
    if binding.kind == "param":
        return passed_to(facts, binding.node)
    part = binding.part
    return [part] if isinstance(part, ast.Name) and binding.kind == "assign" else []


def passed_to(facts: Facts, arg: ast.AST) -> list[ast.AST]:
    """What the calls of its function give to a parameter."""
    function = facts.index.parents[facts.index.parents[arg]]
    given = (passed(call, function, arg, facts.classes) for call in facts.call_sites(function))
    return [value for value in given if value is not None]


def holders(facts: Facts, expr: ast.AST) -> set[object]:
    """The same without the part of a statement's value that it is.

    Not what made the model: one function may make a model and its target. A call that is passed
    on without a name stands for itself.
    """
    return {key[0] for key in held_by(facts, expr)}
