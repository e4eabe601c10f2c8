"""What `batch = "global"` asks for is right in this program (D109): an Nth of each batch's rows."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.data.full_batch import is_full_batch
from ..facts.gradients.batch_rows import own_rows, unlike_layers
from ..facts.gradients.loss_averages import unlike
from ..model import Finding
from . import restriction
from ._finding import LOOK, note, stopped

BATCH = '`batch = "global"` is not proved right here'


@restriction(code="L03", name="kept-batch")
def kept_batch(facts: Facts) -> Iterator[Finding]:
    """Steps of which nobody knows the rows, and losses that are no means over rows."""
    options = facts.options
    if not options.keeps_batch or facts.has_horovod or not options.applies("D109"):
        return
    losses = () if is_full_batch(facts) else unlike(facts)  # which nobody shares out
    for problem in dict.fromkeys((*own_rows(facts).problems, *losses)):
        yield stopped(facts, "L03", problem._replace(why=f"{BATCH}: {problem.why}"))


@restriction(code="D109", name="unlike-one-process", stands=True)
def unlike_one_process(facts: Facts) -> Iterator[Finding]:
    """What is right with an Nth of each batch, and other numbers than those of one process."""
    for node, why in unlike_layers(facts):
        yield note(facts, node, "D109", why, kind=LOOK)
