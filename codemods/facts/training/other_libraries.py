"""Values of other libraries: their `fit`, too, trains, but nothing that Horovod could average."""

from __future__ import annotations

import ast
import re

from ..facts import Facts
from ..names import KERAS
from ..roles import Role, role_of_name

_FITTED_TO_DATA = KERAS + r"\.(?:preprocessing|layers)\.|tensorflow\.feature_column\."
_NAMES = frozenset(
    [
        "sklearn",
        "xgboost",
        "lightgbm",
        "catboost",
        "statsmodels",
        "scipy",
        "numpy",
        "pandas",
        "umap",
        "imblearn",
        "gensim",
        "tensorflow_text",
        "sentencepiece",
        "hmmlearn",
        "category_encoders",
    ]
)
# Builtins that give no value back which they were given.
_PLAIN = frozenset(
    f"builtins.{name}"
    for name in ("bool", "bytes", "float", "int", "len", "object", "open", "range", "repr", "str")
)
_HANDS_ON = ("__getattr__", "__getattribute__")  # a `fit` of such a class may be anything's


def is_foreign(facts: Facts, expr: ast.AST, asked: frozenset[ast.AST] = frozenset()) -> bool:
    """Whether it is known to come from a library other than Keras, or a class with no base.

    `asked`: calls whose receiver is asked about. `x = x.update()` is what `x` was before.
    """
    origins = facts.origins(expr)
    return (
        origins.complete
        and bool(origins.items)
        and all(not i.path and _is_made_elsewhere(facts, i.node, asked) for i in origins.items)
    )


def _is_made_elsewhere(facts: Facts, node: ast.AST, asked: frozenset[ast.AST]) -> bool:
    if node in asked:
        return True
    if isinstance(node, (ast.Constant, ast.BinOp, ast.Dict, ast.Lambda)):
        return True
    func = node.func if isinstance(node, ast.Call) else node
    cls = facts.classes.local(func)
    if cls is not None:
        if any(facts.classes.method(cls, name) is not None for name in _HANDS_ON):
            return False
        bases = facts.classes.library_bases(cls)
        return not facts.classes.has_unknown_base(cls) and all(map(_is_other_library, bases))
    name = facts.name(func)
    if name is not None and name.startswith("tensorflow."):
        return isinstance(node, ast.Call) and _is_no_model(name)
    if name is None and isinstance(node, ast.Call) and isinstance(func, ast.Attribute):
        is_other = is_foreign(facts, func.value, asked | {node})
        return is_other and not _is_of_a_class(facts, func.value)
    return name is not None and _is_other_library(name)


def _is_of_a_class(facts: Facts, expr: ast.AST) -> bool:
    """Whether it may be an instance of a class of the project, of which a method gives anything."""
    made = (i.node for i in facts.origins(expr).items)
    calls = (node.func for node in made if isinstance(node, ast.Call))
    return any(facts.classes.local(func) is not None for func in calls)


def _is_no_model(name: str) -> bool:
    """Whether it makes something of Keras whose `fit` trains nothing, as `ImageDataGenerator` does.

    What an unknown function of TensorFlow gives back may well be a model.
    """
    return (
        role_of_name(name) not in (None, Role.MODEL) or re.match(_FITTED_TO_DATA, name) is not None
    )


def _is_other_library(name: str) -> bool:
    return name.split(".")[0] in _NAMES or name in _PLAIN
