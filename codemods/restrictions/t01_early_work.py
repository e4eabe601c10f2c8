"""Modules of a project run before `hvd.init()`: what they do with TensorFlow would take any GPU.

Horovod's guide, step 2: each process chooses its GPU first; TensorFlow allows that only until it
has used one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.setup.at_import import called_at_import, calls_inside, running
from ..model import Finding
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
        for expr in called_at_import(statement):
            if _is_work(facts, expr):
                yield finding(facts, expr, "T01", WORK, FIX)
                break


def _is_work(facts: Facts, expr: ast.expr) -> bool:
    name = facts.name(expr)
    if name is not None:
        return isinstance(facts.parent(expr), ast.Call) and _uses_device(name)
    cls = facts.classes.local(expr)
    if cls is not None and not _is_plain(facts, cls):
        return True
    inside = (call for home in running(facts, expr) for call in calls_inside(home))
    return any(_uses_device(facts.name(each.func) or "") for each in inside)


def _is_plain(facts: Facts, cls: ast.ClassDef) -> bool:
    """Whether no class behind it is TensorFlow's, whose instances may hold variables."""
    every = (cls, *facts.classes.ancestors(cls))
    bases = [base for each in every for base in each.bases if facts.classes.local(base) is None]
    names = [facts.name(base) for base in bases]
    return not any(name is None or _uses_device(name) for name in names)


def _uses_device(name: str) -> bool:
    return name.startswith("tensorflow.") and not name.startswith(QUIET)
