"""Models that a training step asks but does not train: target networks, frozen critics.

Workers that start with target networks of their own would train towards different targets, so these
models are broadcast as well. One that comes from a file is the same everywhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, recorded
from ..holders import holders
from ..roles import Role
from .applied import is_path

TRAINED = ("trainable_variables", "trainable_weights")
FROM_FILES = ("tensorflow.keras.models.load_model", "tensorflow.keras.applications.")


def companions(facts: Facts, application: ast.Call) -> list[ast.expr]:
    """Untrained models that the function of an `apply_gradients` asks before, each once."""
    home = facts.function(application)
    if home is None:
        return []
    trained = _trained(facts)
    found: dict[str, ast.expr] = {}
    for call in facts.index.calls:
        model = call.func
        is_before = home in facts.parents(call) and call.lineno < application.lineno
        if is_before and _is_named_model(facts, model) and not _is_known(facts, model, trained):
            found.setdefault(ast.unparse(model), model)
    return list(found.values())


def _is_named_model(facts: Facts, expr: ast.expr) -> bool:
    return is_path(expr) and facts.name(expr) is None and facts.role(expr) is Role.MODEL


def _is_known(facts: Facts, model: ast.expr, trained: frozenset[object]) -> bool:
    """Whether every worker has the same weights in it anyway, or it is broadcast as trained."""
    made = facts.origins(model).nodes
    return bool(holders(facts, model) & trained) or all(_is_from_file(facts, n) for n in made)


def _is_from_file(facts: Facts, node: ast.AST) -> bool:
    name = facts.name(node.func) if isinstance(node, ast.Call) else None
    return (name or "").startswith(FROM_FILES)


@recorded
def _trained(facts: Facts) -> frozenset[object]:
    """What holds the models whose variables are differentiated by or applied to."""
    return frozenset(holder for base in _bases(facts) for holder in holders(facts, base))


def _bases(facts: Facts) -> Iterator[ast.expr]:
    for attribute in TRAINED:
        for use in facts.index.loads.get(attribute, ()):
            if isinstance(use, ast.Attribute):
                yield use.value
