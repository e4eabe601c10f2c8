"""Which Keras trains: 3 from TensorFlow 2.16 on, but where Keras 2 (tf_keras) is asked for."""

from __future__ import annotations

import ast

from ..program.node_fields import within
from .facts import Facts, recorded
from .keras_target import brings_keras_3
from .roots import roots
from .training.pattern import runs_graph

LEGACY = "legacy"
VARIABLE = "TF_USE_LEGACY_KERAS"


@recorded
def is_keras_3(facts: Facts) -> bool:
    """Whether the program trains with Keras 3: nothing asks for Keras 2, and no graph trains."""
    if not brings_keras_3(facts) or facts.options.keras == LEGACY:
        return False
    return not (runs_graph(facts) or asks_for_legacy(facts) or _imports_tf_keras(facts))


def asks_for_legacy(facts: Facts) -> bool:
    """Whether the program itself names the setting that makes `tf.keras` Keras 2."""
    return any(
        isinstance(node, ast.Constant) and node.value == VARIABLE for node in within(facts.module)
    )


def _imports_tf_keras(facts: Facts) -> bool:
    return any("tf_keras" in roots(node) for node in within(facts.module))
