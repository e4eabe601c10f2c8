"""Where epochs are loops, the rate grows from that of one worker to that of all, epoch by epoch.

Asked for by the setting `warmup`. Goyal et al., Accurate, Large Minibatch SGD (2017), 2.2.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Insert, Places, insert
from ..edits.patterns import STATEMENT
from ..facts import Facts
from ..facts.output.warm_ups import Epochs, warm_up_loops
from ._new_code import fresh, hvd
from ._rewrite import Query, rewrite

PART = "warm_up"


def epochs(facts: Facts) -> Iterator[At]:
    """The loops over epochs, and the first statements of their bodies."""
    heads: dict[ast.For, str] = {}
    for number, found in enumerate(warm_up_loops(facts)):
        whole = fresh(facts, f"whole_rate_{number}" if number else "whole_rate")
        rate = f"{ast.unparse(found.optimizer.root)}{found.optimizer.rest}.learning_rate"
        yield At(found.loop, Insert(f"{whole} = float({rate})\n"))
        heads.setdefault(found.loop, _part(facts, found))
        heads[found.loop] += f"{rate} = {whole} * {fresh(facts, PART)}\n"
    yield from (At(loop.body[0], Insert(lines)) for loop, lines in heads.items())


def _part(facts: Facts, found: Epochs) -> str:
    """Which part of the rate an epoch trains with: that of one worker at first, all in the end."""
    epoch = f"({found.counter} - {found.first})" if found.first else found.counter
    workers, done = f"{hvd(facts)}.size()", f"min({epoch} / {facts.options.warmup}, 1)"
    return f"{fresh(facts, PART)} = (1 + ({workers} - 1) * {done}) / {workers}\n"


@rewrite(
    code="D208",
    name="warm-up-rate",
    summary="Let the learning rate grow in the first epochs of a loop, where that is asked for.",
    needs=("D101", "D102", "D104"),
    find=epochs,
    warmup=5,
    before="""\
import numpy as np
import tensorflow as tf

x = np.ones((64, 2), "float32")
data = tf.data.Dataset.from_tensor_slices(x).batch(8)
w = tf.Variable([[1.0], [2.0]])
opt = tf.keras.optimizers.SGD(0.1)
for epoch in range(20):
    for batch in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((batch @ w) ** 2)
        grads = tape.gradient(loss, [w])
        opt.apply_gradients(zip(grads, [w]))
""",
    after="""\
import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

x = np.ones((64, 2), "float32")
data = tf.data.Dataset.from_tensor_slices(x).batch(8)
w = tf.Variable([[1.0], [2.0]])
opt = tf.keras.optimizers.SGD(0.1 * hvd.size())
whole_rate = float(opt.learning_rate)
for epoch in range(20):
    warm_up = (1 + (hvd.size() - 1) * min(epoch / 5, 1)) / hvd.size()
    opt.learning_rate = whole_rate * warm_up
    for batch in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((batch @ w) ** 2)
        grads = tape.gradient(loss, [w])
        opt.apply_gradients(zip(grads, [w]))
""",
    noop=(
        "import tensorflow as tf\n\nfor epoch in range(9):  # trains nothing\n    print(epoch)\n",
    ),
)
def warm_up_rate(at: Places) -> Query:
    """Read the whole rate above the loop, and set a part of it at the head of each epoch."""
    return Query().select(STATEMENT).filter(at.each(Insert)).modify(insert)
