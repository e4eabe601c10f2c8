"""A callback reads metrics in front of the one that averages them, so each worker reads its own.

https://horovod.readthedocs.io/en/stable/keras.html; horovod/horovod#2740, #3140.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.workers.lone_callbacks import early_readers
from ..library.callbacks import ENDS, PREFIX, callback
from ..model import Finding
from . import hazard
from ._finding import finding

MESSAGE = (
    "`{}` stands before MetricAverageCallback (line {}): it is steered by the metrics of each "
    "worker's own, and {}"
)
WHY = {ENDS: "one stops, and the others wait for ever"}
DRIFT = "the workers go on with different rates"
FIX = "put hvd.callbacks.MetricAverageCallback() in front of it: Keras calls them in this order"


@hazard(code="H09", name="metrics-averaged-late")
def metrics_averaged_late(facts: Facts) -> Iterator[Finding]:
    """Errors at the callback that reads too early."""
    for early in early_readers(facts):
        line, why = (
            facts.place(early.metrics)[0],
            WHY.get(callback(PREFIX + early.name).does, DRIFT),
        )
        yield finding(facts, early.place, "H09", MESSAGE.format(early.name, line, why), FIX)
