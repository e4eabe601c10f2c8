"""A file that trains by `fit` and by a tape keeps the tape, where a person says so.

Seed 000, section 3.1: the training loop of a file is of one kind.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import At, Places, Remove, remove
from ..edits.patterns import STATEMENT
from ..facts import Facts, Pattern
from ._loops_apart import without
from ._repair import Query, repair


def fits(facts: Facts) -> Iterator[At]:
    """The statements with `fit`."""
    yield from without(facts, Pattern.KERAS)


@repair(
    code="A12",
    name="only-tape",
    title="Train with the loop of the tape alone, and take `fit` out.",
    answers=("T02",),
    is_automatic=False,
    find=fits,
    before="""\
import tensorflow as tf

x, y = tf.ones((8, 4)), tf.ones((8, 1))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y)  # quick

optimizer = tf.keras.optimizers.SGD(0.1)


def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for _ in range(9):
    step()
model.save("model.keras")
""",
    after="""\
import tensorflow as tf

x, y = tf.ones((8, 4)), tf.ones((8, 1))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
# quick

optimizer = tf.keras.optimizers.SGD(0.1)


def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for _ in range(9):
    step()
model.save("model.keras")
""",
    noop=(
        # what one of them gives is needed; there is one way only
        "import tensorflow as tf\n\nx, y = tf.ones((8, 4)), tf.ones((8, 1))\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile("sgd", "mse")\nhistory = model.fit(x, y)\nrate = history.epoch\n'
        "optimizer = tf.keras.optimizers.SGD(0.1)\nwith tf.GradientTape() as tape:\n"
        "    loss = tf.reduce_mean((model(x) - y) ** 2)\n"
        "gradients = tape.gradient(loss, model.trainable_variables)\n"
        "done = optimizer.apply_gradients(zip(gradients, model.trainable_variables))\n"
        "print(done)\n",
    ),
)
def only_tape(at: Places) -> Query:
    """Whole statements go; what stands between them stays."""
    return Query().select(STATEMENT).filter(at.each(Remove)).modify(remove)
