"""Which Keras trains, whether TensorFlow is version 1, and which packages an import names."""

from __future__ import annotations

import ast

from ..library.old_members import gone
from ..program.node_fields import within
from .facts import Facts, recorded
from .keras_target import brings_keras_3
from .training.pattern import runs_graph

# -- roots ---------------------------------------------------------------------------------------
# The packages that an import names.


def roots(node: ast.AST) -> set[str]:
    """The top-level packages of an import; relative ones, and what is no import, have none."""
    if isinstance(node, ast.Import):
        return {alias.name.split(".")[0] for alias in node.names}
    is_absolute = isinstance(node, ast.ImportFrom) and not node.level
    return {(getattr(node, "module", None) or "").split(".")[0]} if is_absolute else set()


# -- keras version -------------------------------------------------------------------------------
# Which Keras trains: 3 from TensorFlow 2.16 on, but where Keras 2 (tf_keras) is asked for.

LEGACY = "legacy"
VARIABLE = "TF_USE_LEGACY_KERAS"


@recorded
def is_keras_3(facts: Facts) -> bool:
    """Whether the program trains with Keras 3: nothing asks for Keras 2, and no graph trains."""
    if not brings_keras_3(facts.options) or facts.options.keras == LEGACY:
        return False
    return not (runs_graph(facts) or asks_for_legacy(facts) or _imports_tf_keras(facts))


def asks_for_legacy(facts: Facts) -> bool:
    """Whether the program itself names the setting that makes `tf.keras` Keras 2."""
    return any(
        isinstance(node, ast.Constant) and node.value == VARIABLE for node in within(facts.module)
    )


def _imports_tf_keras(facts: Facts) -> bool:
    return any("tf_keras" in roots(node) for node in within(facts.module))


# -- old tensorflow ------------------------------------------------------------------------------
# Whether a program is visibly one of TensorFlow 1, which TensorFlow 2 could not even begin.


@recorded
def first_removed_api(facts: Facts) -> ast.Attribute | None:
    """The first place in the text that names what TensorFlow 2 lacks."""
    names = (node for node in facts.index.nodes(ast.Attribute) if gone(facts.name(node) or ""))
    return min(names, key=lambda node: (node.lineno, node.col_offset), default=None)
