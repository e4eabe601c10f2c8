"""What a `train_step` of a Keras model runs: `fit` calls it, and Keras averages for it."""

from __future__ import annotations

import ast

from ..facts import Facts
from ..roles import Role
from ..scopes import FunctionNode


def in_train_step(facts: Facts, node: ast.AST) -> bool:
    """Whether the code belongs to a `train_step` that a Keras model's `fit` calls."""
    cls = facts.cls(node)
    if cls is None or facts.role_of_class(cls) is not Role.MODEL:
        return False
    step = facts.classes.method(cls, "train_step")
    is_fitted = any(True for _ in facts.calls("fit", "fit_generator"))
    return step is not None and is_fitted and _belongs_to(facts, node, step)


def _belongs_to(facts: Facts, node: ast.AST, step: ast.AST) -> bool:
    """Whether the step runs it: by itself, or in functions that nothing else of the module uses."""
    seen: set[ast.AST] = set()
    queue = [node]
    while queue:
        around = tuple(facts.parents(queue.pop()))
        functions = [parent for parent in around if isinstance(parent, FunctionNode)]
        if step in around or seen.intersection(functions):
            continue
        uses = next(filter(None, (_uses(facts, function) for function in functions)), None)
        if uses is None:
            return False
        seen.update(functions)
        queue.extend(uses)
    return True


def _uses(facts: Facts, function: ast.AST) -> list[ast.AST]:
    """Where it is called, or handed on by its name: `tf.cond(full, self.apply, lambda: None)`."""
    found: list[ast.AST] = list(facts.call_sites(function))
    known = {call.func for call in facts.call_sites(function)}
    cls = facts.cls(function)
    for use in facts.index.loads.get(getattr(function, "name", ""), ()):
        if isinstance(use, ast.Attribute) and use not in known:
            is_own = cls is not None and facts.classes.self_class(use.value) is cls
            if is_own or getattr(facts.parent(use), "func", None) is not use:
                found.append(use)
    return found
