"""Keras 2 is asked for where TensorFlow brings Keras 3 (rules.md, Versions)."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.setup.import_places import direct_keras, is_needed, legacy_keras
from ..model import Finding
from . import restriction
from ._finding import LOOK, finding, note


@restriction(code="N02", name="keras-3", proves=True)
def keras_3(facts: Facts) -> Iterator[Finding]:
    """`import keras` where Keras 2 is asked for; a remark where the setting of D100 helps."""
    if not is_needed(facts):
        return
    major, minor = facts.options.tensorflow
    install = f"pip install 'tf_keras~={major}.{minor}.0'"  # a later one wants a later TensorFlow
    for node in direct_keras(facts):
        message = (
            "`keras` is Keras 3 beside TensorFlow 2.16 and later, and Keras 2 is asked for here"
        )
        fix = f"`{install}` and import that instead: `from tensorflow import keras`"
        yield finding(facts, node, "N02", message, fix)
    wanted = legacy_keras(facts)
    for place in () if wanted is None else (*wanted.later, wanted.place):
        message = "Keras 2 is asked for here: it must be installed beside TensorFlow"
        yield note(facts, place, "N02", message, install, kind=LOOK)
