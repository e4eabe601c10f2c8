"""What holds a value: the statements that bind it, or the attribute that it stands in."""

from __future__ import annotations

import ast

from .call_sites import passed
from .facts import Facts


def holders(facts: Facts, expr: ast.AST) -> set[object]:
    """The statements that bind a name, through parameters, or the attribute that holds it.

    Not what made the model: one function may make a model and its target. A call that is passed
    on without a name stands for itself.
    """
    found: set[object] = set()
    seen: set[ast.AST] = set()
    queue = [expr]
    while queue:
        node = queue.pop()
        if node in seen:
            continue
        seen.add(node)
        if not isinstance(node, ast.Name):
            text = getattr(node, "attr", None) or ast.unparse(node)
            found.add(node if isinstance(node, ast.Call) else text)
            continue
        for binding in facts.names.bindings(node):
            handed = _passed_to(facts, binding.node) if binding.kind == "param" else []
            queue.extend(handed)
            found.update([] if handed else [binding.node])
    return found


def _passed_to(facts: Facts, arg: ast.AST) -> list[ast.AST]:
    function = facts.index.parents[facts.index.parents[arg]]
    sites = facts.call_sites(function)
    given = (passed(call, function, arg, facts.classes) for call in sites)
    return [value for value in given if value is not None]
