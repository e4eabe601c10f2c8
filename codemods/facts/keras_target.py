"""Which Keras comes beside the target TensorFlow."""

from __future__ import annotations

from .facts import Facts

KERAS_3 = (2, 16)


def brings_keras_3(facts: Facts) -> bool:
    """Whether `keras` is Keras 3 beside the target TensorFlow."""
    return facts.options.tensorflow >= KERAS_3
