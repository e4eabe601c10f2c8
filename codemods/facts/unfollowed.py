"""The setting by which a person says what a call gives that isn't followed."""

from __future__ import annotations

import ast

from .causes import SEEN
from .facts import Facts

MODELS, OPTIMIZERS = "models", "optimizers"
# What functions of these give says nothing of what they give elsewhere.
GIVE_ANYTHING = frozenset(
    [
        "cloudpickle",
        "copy",
        "dill",
        "functools",
        "importlib",
        "itertools",
        "joblib",
        "operator",
        "pickle",
        "random",
        "shelve",
        "sys",
        "torch",
        "types",
    ]
)
NAME = "; or name `{}` among the `{}` of [tool.distify]"


def setting(facts: Facts, value: ast.AST | None, key: str) -> str:
    """The end of an advice; empty where no call of an imported function gives the value."""
    made = () if value is None else facts.origins(value).nodes
    for call in (node for node in made if isinstance(node, ast.Call)):
        name = facts.name(call.func) or ""
        is_known = name.startswith(SEEN) or name.partition(".")[0] in GIVE_ANYTHING
        if "." in name.lstrip(".") and not is_known:
            return NAME.format(name.lstrip("."), key)
    return ""
