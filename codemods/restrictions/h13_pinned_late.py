"""A GPU is chosen behind the first use of TensorFlow, which has taken all of them by then.

https://www.tensorflow.org/guide/gpu; horovod/horovod#676, #1146, #1378.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.causes import spelled
from ..facts.workers.horovod_parts import late_pins
from ..model import Finding
from . import hazard
from ._finding import warning

MESSAGE = (
    "the GPU is chosen when `{}` in line {} has taken all of them: TensorFlow raises an error, or "
    "all workers of a machine use the same one"
)
FIX = "choose it directly below hvd.init()"


@hazard(code="H13", name="pinned-late")
def pinned_late(facts: Facts) -> Iterator[Finding]:
    """Warnings: without a GPU nothing goes wrong."""
    for statement, first in late_pins(facts):
        message = MESSAGE.format(spelled(first.func), facts.place(first)[0])
        yield warning(facts, statement, "H13", message, FIX)
