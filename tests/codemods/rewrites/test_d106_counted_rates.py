"""Rates that are set by the number of a step, of which each worker takes only its share."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

LOOP = """\
import math
import numpy as np
import tensorflow as tf

x = np.ones((640, 4), dtype="float32")
data = tf.data.Dataset.from_tensor_slices(x).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
opt = tf.keras.optimizers.SGD(0.1)
step = 0
for epoch in range(3):
    for number, batch in enumerate(data):
        {}
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(batch))
        gradients = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(gradients, model.trainable_variables))
        step += 1
"""
FIT = """\
import numpy as np
import tensorflow as tf


class Slower(tf.keras.callbacks.Callback):
    def __init__(self, total):
        self.total, self.seen = total, 0

    def {hook}(self, n, logs=None):
        self.model.optimizer.learning_rate = {rate}
        {counts}


x = np.ones((640, 4))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
model.fit(x, x, callbacks=[Slower({total})])
"""
BATCH = {"hook": "on_train_batch_begin", "rate": "0.1 / (1 + self.seen / self.total)"}
COUNT = "self.seen += 1"
COUNTED = {
    "a counter of the loop": (LOOP.format("opt.learning_rate = 0.1 / (1 + step)"), "step"),
    "by a name": (LOOP.format("r = 0.1 / (1 + step); opt.learning_rate.assign(r)"), "step"),
    "the number of a batch": (LOOP.format("opt.learning_rate = 0.1 / (1 + number)"), "number"),
    "the optimizer's own": (
        LOOP.format("opt.learning_rate = 0.1 / (1 + int(opt.iterations))"),
        "int(opt.iterations)",
    ),
    "a callback": (FIT.format(**BATCH, counts=COUNT, total="60"), "self.seen"),
}
VARIABLE = LOOP.replace("step += 1", "{}").replace("step = 0", "many = tf.Variable(0)")
COUNTED["a variable"] = (
    VARIABLE.format(
        "opt.learning_rate.assign(0.1 / (1 + tf.cast(many, tf.float32)))", "many.assign_add(1)"
    ),
    "tf.cast(many, tf.float32)",
)
LEFT = {
    "a variable of epochs": VARIABLE.format(
        "opt.learning_rate.assign(0.1 / (1 + many))", "pass"
    ).replace("        pass\n", "    many.assign_add(1)\n"),
    "an epoch": LOOP.format("opt.learning_rate = 0.1 / (1 + epoch)"),
    "nothing is set": LOOP.format("rate = 0.1 / (1 + step)"),  # a count and one: a count
    "a length that shrinks": LOOP.format("opt.learning_rate = 0.1 / (1 + step / len(data))"),
    "no counter": FIT.format(**BATCH, counts="pass", total="60"),
    "a counter of epochs": FIT.format(
        hook="on_epoch_begin", rate=BATCH["rate"], counts=COUNT, total="60"
    ),
}


def counts_all(text: str, counter: str) -> bool:
    found = migrate(text)
    assert not found.blocked
    assert found.steps
    return f"{counter} * hvd.size()" in found.after


@pytest.mark.parametrize("name", LEFT)
def test_a_rate_that_counts_no_steps_is_left_alone(name: str) -> None:
    counters = ("step", "number", "many", "seen", "epoch")
    assert not any(counts_all(LEFT[name], counter) for counter in counters)


@pytest.mark.parametrize("name", COUNTED)
def test_a_rate_that_counts_steps_counts_those_of_all_workers(name: str) -> None:
    text, counter = COUNTED[name]
    assert counts_all(text, counter)
