"""Horovod's module for one Keras beside a program of the other one.

horovod/horovod#1601, #1802, #3183.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts

FOR_KERAS, FOR_TENSORFLOW = "horovod.keras", "horovod.tensorflow.keras"
_OWN = ("keras", "tf_keras")


def of_other_keras(facts: Facts) -> Iterator[tuple[ast.stmt, str]]:
    """The imports of `horovod.keras` beside `tf.keras` alone, and what is to be imported."""
    imports = [(node, name) for node in facts.index.imports for name in _modules(node)]
    uses_own = any(name.partition(".")[0] in _OWN for _, name in imports)
    uses_tensorflow = any(name.startswith("tensorflow.keras") for _, name in imports)
    uses_tensorflow = uses_tensorflow or any(
        isinstance(use, ast.Attribute) and facts.name(use) == "tensorflow.keras"
        for use in facts.index.loads.get("keras", ())
    )
    for node, name in imports:
        if _is_of(name, FOR_KERAS) and uses_tensorflow and not uses_own:
            yield node, FOR_TENSORFLOW


def _modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    """The full names that an import reads."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [] if node.level else [f"{node.module}.{alias.name}" for alias in node.names]


def _is_of(name: str, module: str) -> bool:
    return name == module or name.startswith(module + ".")
