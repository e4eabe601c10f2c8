"""What else a program has that is not known to go together with recomputation."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...program.node_fields import within
from ..keras_version import is_keras_3
from ..setup.legacy_keras import is_needed
from .derivatives import changed_weights, nested_tapes
from .layer_calls import Problem

if TYPE_CHECKING:
    from ..facts import Facts

# What a program has that is not known to go together with recomputation, by restriction.
NAMES = {
    "C07": ("tensorflow.config.optimizer.set_jit",),
    "C08": (
        "tensorflow.custom_gradient",
        "tensorflow.keras.mixed_precision.LossScaleOptimizer",
        "tensorflow.keras.mixed_precision.set_global_policy",
        "tensorflow.keras.mixed_precision.set_policy",
        "tensorflow.keras.mixed_precision.Policy",
    ),
    "C03": ("tensorflow.keras.layers.Masking",),  # its mask travels beside the tensor
    "C09": (
        "tensorflow.compat.v1.disable_eager_execution",
        "tensorflow.compat.v1.disable_v2_behavior",
        "tensorflow.gradients",
        "tensorflow.compat.v1.gradients",
    ),
}
MODULES = ("tensorflow.estimator.", "tensorflow.distribute.", "tensorflow.compat.v1.")
HARMLESS = ("tensorflow.compat.v1.logging",)
MASKS = ("mask_zero", "compute_mask", "supports_masking")


def around(facts: Facts) -> Iterator[Problem]:
    """Problems of the rest of the program, by restriction."""
    yield from _of_names(facts)
    if is_keras_3(facts) or (is_needed(facts) and not facts.options.distributes):
        yield Problem("C08", facts.module.body[0], "Keras 3")
    for call in facts.index.calls:
        for keyword in call.keywords:
            if keyword.arg == "jit_compile" and not _is_off(keyword.value):
                yield Problem("C07", keyword.value)
            elif keyword.arg in MASKS and not _is_off(keyword.value):
                yield Problem("C03", keyword.value, "a mask that travels beside the tensor")
    yield from nested_tapes(facts)
    yield from changed_weights(facts)


def _is_off(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and not value.value


def _of_names(facts: Facts) -> Iterator[Problem]:
    for node in within(facts.module):
        name = facts.name(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
        if name is None:
            continue
        for code, names in NAMES.items():
            if name in names:
                yield Problem(code, node, name.replace("tensorflow.", "tf.", 1))
        if name.startswith(MODULES) and not name.startswith(HARMLESS):
            yield Problem("C09", node, name.replace("tensorflow.", "tf.", 1))
