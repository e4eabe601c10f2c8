"""Values of other libraries: their `fit`, too, trains, but nothing that Horovod could average."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .facts import Facts

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
        "builtins",
        "tensorflow_text",
        "sentencepiece",
        "hmmlearn",
        "category_encoders",
    ]
)


def is_foreign(facts: Facts, expr: ast.AST) -> bool:
    """Whether it is known to come from a library other than Keras, or a class with no base."""
    origins = facts.origins(expr)
    return (
        origins.complete
        and bool(origins.items)
        and all(_is_made_elsewhere(facts, i.node) for i in origins.items)
    )


def _is_made_elsewhere(facts: Facts, node: ast.AST) -> bool:
    if isinstance(node, (ast.Constant, ast.BinOp, ast.Dict, ast.Lambda)):
        return True
    func = node.func if isinstance(node, ast.Call) else node
    cls = facts.classes.local(func)
    if cls is not None:
        bases = facts.classes.library_bases(cls)
        return not facts.classes.has_unknown_base(cls) and all(map(_is_other_library, bases))
    name = facts.name(func)
    if name is not None and name.startswith("tensorflow."):
        return isinstance(node, ast.Call)  # a known Keras thing that is no model
    if name is None and isinstance(func, ast.Attribute):  # a method of something foreign
        return is_foreign(facts, func.value)
    return name is not None and _is_other_library(name)


def _is_other_library(name: str) -> bool:
    return name.split(".")[0] in _NAMES
