"""Every step takes all of the data: nothing is shared out, no rate is scaled, and a note says so."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import numpy as np
import tensorflow as tf
import pylib
x, y = tf.constant(pylib.x), tf.constant(pylib.y)
net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam(0.1)
"""
STEP = """\
def step(a):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(a) - y))
    grads = tape.gradient(loss, net.trainable_variables)
    opt.apply_gradients(zip(grads, net.trainable_variables))
    return loss
"""
FULL = [
    "for epoch in range(9):\n    print(epoch, float(step(x)))\n",
    "for epoch in tf.range(9):\n    loss = step(x)\n    if epoch % 10 == 0:\n        print(loss.numpy())\n",
    "n = 0\nwhile n < 9:\n    n += 1\n    step(x)\n",
    "losses = []\nfor epoch in range(9):\n    losses.append(step(x).numpy())\n",
]
CHANGING = [
    "for i in range(9):\n    step(x[i * 4 : i * 4 + 4])\n",
    "for i in range(9):\n    step(pylib.batch())\n",
    "for i in range(9):\n    step(x[np.random.randint(9)])\n",
    "for i in range(9):\n    step(tf.random.normal([4, 4]))\n",
    "it = iter(pylib.data)\nfor i in range(9):\n    step(next(it))\n",
    "for a in pylib.data:\n    step(a)\n",
    "i = 0\nwhile i < 9:\n    i += 1\n    step(x[i])\n",
    "for i in range(9):\n    step(tf.constant(np.load(f'{i}.npy')))\n",
]


@pytest.mark.parametrize("loop", FULL)
def test_a_full_batch_is_said_to_be_one_and_its_rate_stays(loop: str) -> None:
    found = migrate(HEAD + STEP + loop)
    notes = [note.message for note in found.notes if note.code == "D107"]
    assert len(notes) == 1
    assert "nothing to share out" in notes[0]
    assert "Adam(0.1)" in found.after
    assert "DistributedGradientTape" in found.after


@pytest.mark.parametrize("loop", CHANGING)
def test_where_a_step_may_take_other_data_the_rate_is_scaled(loop: str) -> None:
    found = migrate(HEAD + STEP + loop)
    assert not [note for note in found.notes if "nothing to share out" in note.message]
    assert "Adam(0.1 * hvd.size())" in found.after
