"""What is known to differ from worker to worker is said to be so; what may differ is not."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

KERAS = """\
import random
import time

import tensorflow as tf


class Stop(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if {}:
            self.model.stop_training = True


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.ones((8, 4)), tf.ones((8, 1)), callbacks=[Stop()])
"""
TAPE = """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices((tf.ones((8, 4)), tf.ones((8, 1)))).batch(2)
for x, y in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
    if {}:
        opt.learning_rate = 0.001
"""


def proven(text: str) -> list[bool]:
    return [found.proves for found in migrate(text).blocked if found.code == "T07"]


@pytest.mark.parametrize("test", ["time.time() > 100", "random.random() > 0.5"])
def test_a_stop_by_a_clock_or_by_chance_is_known_to_differ(test: str) -> None:
    assert proven(KERAS.format(test)) == [True]
    assert proven(KERAS.format("epoch > 3")) == []


@pytest.mark.parametrize("test", ["loss > 3", "float(loss) > 3"])
def test_a_rate_that_is_set_by_a_loss_of_ones_own_is_known_to_differ(test: str) -> None:
    assert proven(TAPE.format(test)) == [True]
    assert proven(TAPE.format("len(x) > 3")) == []


CHECKPOINT = """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
queue = tf.Variable(tf.random.normal([8, 4]))
kept = tf.train.Checkpoint(model=model, queue=queue, epoch=tf.Variable(0))
for epoch in range(int(kept.epoch), 3):
    optimizer.learning_rate = {rate}
    for x in tf.data.Dataset.from_tensor_slices(queue).batch(4):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    kept.epoch.assign_add(1)
"""


def test_what_a_checkpoint_counts_is_nobodys_own() -> None:
    """Though the same checkpoint keeps what each worker has drawn for itself."""
    assert not migrate(CHECKPOINT.format(rate="0.1 * 0.9**epoch")).blocked
    found = migrate(CHECKPOINT.format(rate="0.1 * float(queue[0, 0])")).blocked
    assert [each.code for each in found] == ["T07"]
