"""Callbacks of Horovod that fail for Keras 2 where Keras 3 is installed beside it."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.horovod import METRICS, STEERING, member
from ..facts.setup.import_places import is_needed
from ..model import Finding
from . import restriction
from ._finding import finding

MESSAGE = (
    "Horovod's `{}` takes its backend from `keras`, which is Keras 3 beside TensorFlow 2.16 and "
    "later, whatever `tf.keras` is: it ends with an error"
)
FIX = "leave that callback out, and distify writes a class that needs no backend"


@restriction(code="N02", name="keras-2-callbacks", proves=True)
def keras_2_callbacks(facts: Facts) -> Iterator[Finding]:
    """`MetricAverageCallback` asks for `constant`, those of learning rates for `get_value`."""
    for call in facts.index.calls if facts.has_horovod and is_needed(facts) else ():
        name = member(facts, call.func)
        if name in (METRICS, *STEERING):
            yield finding(facts, call, "N02", MESSAGE.format(name.rpartition(".")[2]), FIX)
