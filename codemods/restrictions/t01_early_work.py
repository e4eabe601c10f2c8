"""Modules of a project run before `hvd.init()`: what they do with TensorFlow would take any GPU.

Horovod's guide, step 2: each process chooses its GPU first; TensorFlow allows that only until it
has used one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.setup.at_import import calls_at_import
from ..facts.training.pattern import training_of
from ..model import Finding
from ..program.node_fields import within
from . import restriction
from ._finding import finding

# Classes whose instances hold no tensors, functions that make none, and settings.
HARMLESS = (
    "tensorflow.keras.losses. tensorflow.keras.layers. tensorflow.keras.initializers. "
    "tensorflow.keras.regularizers. tensorflow.keras.constraints. tensorflow.TensorSpec "
    "tensorflow.function tensorflow.autograph. tensorflow.get_logger "
    "tensorflow.io.FixedLenFeature tensorflow.io.FixedLenSequenceFeature "
    "tensorflow.io.VarLenFeature tensorflow.keras.utils.register_keras_serializable "
    "tensorflow.config. tensorflow.keras.saving.register_keras_serializable "
    "tensorflow.compat.v1.logging. tensorflow.random.set_seed "
    "tensorflow.keras.utils.set_random_seed tensorflow.logging. "
    "tensorflow.keras.backend.set_floatx tensorflow.keras.backend.set_epsilon "
    "tensorflow.keras.backend.set_image_data_format tensorflow.keras.mixed_precision."
)
QUIET = tuple(HARMLESS.split())
WORK = "this runs when the module is imported, before `hvd.init()` and the choice of a GPU"
FIX = "make it in a function, and call that where the training begins"


@restriction(code="T01", name="early-work")
def early_work(facts: Facts) -> Iterator[Finding]:
    """The first call in each other module that may use a device while it is imported."""
    own = set(facts.body) if facts.is_joined else set(facts.module.body)
    for statement in facts.module.body:
        if statement in own:
            continue
        for call in calls_at_import(statement):
            if _is_work(facts, call):
                yield finding(facts, call, "T01", WORK, FIX)
                break


def _is_work(facts: Facts, call: ast.Call) -> bool:
    name = facts.name(call.func)
    if name is not None:
        return _uses_device(name)
    function = facts.callee(call)
    if function is None:
        return facts.classes.local(call.func) is not None
    homes = training_of(facts).reached(function)
    inside = (node for home in homes for node in within(home) if isinstance(node, ast.Call))
    return any(_uses_device(facts.name(each.func) or "") for each in inside)


def _uses_device(name: str) -> bool:
    return name.startswith("tensorflow.") and not name.startswith(QUIET)
