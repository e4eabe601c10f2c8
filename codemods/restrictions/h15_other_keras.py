"""Horovod's module for Keras by itself, in a program that trains with `tf.keras`.

https://horovod.readthedocs.io/en/stable/keras.html; horovod/horovod#1601, #1802, #3183.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.workers.horovod_parts import of_other_keras
from ..library.horovod_names import OF_KERAS
from ..model import Finding
from . import hazard
from ._finding import warning

MESSAGE = (
    f"`{OF_KERAS}` is for Keras by itself, and this program trains with `tf.keras`: where the two "
    "are not one package, its callbacks and its optimizer fail, or do nothing"
)
FIX = "import `{}` in its place"


@hazard(code="H15", name="other-keras")
def other_keras(facts: Facts) -> Iterator[Finding]:
    """Warnings: from TensorFlow 2.6 to 2.15 the two share one package."""
    for statement, module in of_other_keras(facts):
        yield warning(facts, statement, "H15", MESSAGE, FIX.format(module))
