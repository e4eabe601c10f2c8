"""Models that a training step asks but does not train: target networks, frozen critics.

Workers that start with target networks of their own would train towards different targets, so these
models are broadcast as well. One that comes from a file is the same everywhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..call_sites import passed
from ..facts import Facts
from ..roles import Role
from .applied import is_path

TRAINED = ("trainable_variables", "trainable_weights")
FROM_FILES = ("tensorflow.keras.models.load_model", "tensorflow.keras.applications.")


def companions(facts: Facts, application: ast.Call) -> list[str]:
    """Untrained models that the function of an `apply_gradients` asks before, as spelled there."""
    home = facts.function(application)
    if home is None:
        return []
    trained = _trained(facts)
    found: dict[str, None] = {}
    for call in facts.index.calls:
        model = call.func
        is_before = home in facts.parents(call) and call.lineno < application.lineno
        if is_before and _is_named_model(facts, model) and not _is_known(facts, model, trained):
            found[ast.unparse(model)] = None
    return list(found)


def _is_named_model(facts: Facts, expr: ast.expr) -> bool:
    return is_path(expr) and facts.name(expr) is None and facts.role(expr) is Role.MODEL


def _is_known(facts: Facts, model: ast.expr, trained: set[object]) -> bool:
    """Whether every worker has the same weights in it anyway, or it is broadcast as trained."""
    made = facts.origins(model).nodes
    return bool(_holders(facts, model) & trained) or all(_is_from_file(facts, n) for n in made)


def _is_from_file(facts: Facts, node: ast.AST) -> bool:
    name = facts.name(node.func) if isinstance(node, ast.Call) else None
    return (name or "").startswith(FROM_FILES)


def _trained(facts: Facts) -> set[object]:
    """What holds the models whose variables are differentiated by or applied to."""
    return {holder for base in _bases(facts) for holder in _holders(facts, base)}


def _bases(facts: Facts) -> Iterator[ast.expr]:
    for attribute in TRAINED:
        for use in facts.index.loads.get(attribute, ()):
            if isinstance(use, ast.Attribute):
                yield use.value


def _holders(facts: Facts, expr: ast.AST) -> set[object]:
    """The statements that bind a name, through parameters, or the attribute that holds it.

    Not what made the model: one function may make a model and its target.
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
            found.add(getattr(node, "attr", None) or ast.unparse(node))
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
