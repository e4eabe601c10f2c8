"""Layers that a loop starts to train by a value of one worker's own: gradients that none awaits."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

LOOP = """\
import numpy as np
import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices(np.load("x.npy")).batch(8)
base = tf.keras.Sequential([tf.keras.layers.Dense(4)])
model = tf.keras.Sequential([base, tf.keras.layers.Dense(1)])
base.trainable = False
optimizer = tf.keras.optimizers.SGD(0.1)
waits = True
for epoch in range(9):
    for step, a in enumerate(ds):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(a) ** 2)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
    {thaw}
"""
APART = {
    "by a loss": "if waits and loss < 0.5: base.trainable = True; waits = False",
    "layer by layer": "if loss < 0.5:\n        for layer in base.layers: layer.trainable = True",
}
ALIKE = {
    "by the epoch": "if epoch == 3: base.trainable = True",
    "always": "base.trainable = True",
    "of something else": "if loss < 0.5: base.trained = True",
}


def blocked(thaw: str) -> list[str]:
    return [each.code for each in migrate(LOOP.format(thaw=thaw)).blocked]


@pytest.mark.parametrize("thaw", APART.values(), ids=APART)
def test_each_worker_decides_what_it_trains(thaw: str) -> None:
    assert blocked(thaw) == ["T07"]


@pytest.mark.parametrize("thaw", ALIKE.values(), ids=ALIKE)
def test_all_workers_train_the_same_layers(thaw: str) -> None:
    assert blocked(thaw) == []


def test_behind_the_training_nothing_waits() -> None:
    text = LOOP.format(thaw="pass") + "if loss < 0.5:\n    base.trainable = True\n"
    assert not migrate(text).blocked
