"""A training that ends between two batches: all workers decide alike, or one waits for ever."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

TEXT = """\
import numpy as np
import tensorflow as tf

x, y = np.ones((64, 4)), np.ones(64)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile(tf.keras.optimizers.SGD(0.1), loss="mse")


class Find(tf.keras.callbacks.Callback):
    def __init__(self, low, high, steps):
        super().__init__()
        self.high = high
        self.factor = (high / low) ** (1 / steps)
        self.losses = []

    def on_train_batch_end(self, batch, logs=None):
        self.losses.append(logs["loss"])
        self.model.optimizer.{rate} = self.model.optimizer.{rate} * self.factor
        if {test}:
            self.model.stop_training = True


model.fit(x, y, callbacks=[Find(1e-6, 1.0, 100)])
"""


@pytest.mark.parametrize(
    ("test", "is_refused"),
    [
        ("self.model.optimizer.{} > self.high", False),
        ("self.model.optimizer.{}.numpy() > self.high", False),
        ("self.high < 1", False),
        ("logs['loss'] > 3", True),
        ("self.losses[-1] > 3", True),
        ("self.model.optimizer.{} > self.high or logs['loss'] > 3", True),
    ],
)
@pytest.mark.parametrize("rate", ["lr", "learning_rate"])
def test_who_ends_a_training_between_batches(test: str, is_refused: bool, rate: str) -> None:
    found = migrate(TEXT.format(rate=rate, test=test.format(rate))).blocked
    assert [each.code for each in found] == (["T07"] if is_refused else [])
