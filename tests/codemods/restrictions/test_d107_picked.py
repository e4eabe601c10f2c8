"""What each worker picks by chance for a step is its own: nothing is said of data that is shared."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

PROGRAM = """\
import numpy as np
import tensorflow as tf

memory = np.load("m.npy")
net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam(0.1)


def train(batch):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(net(batch))
    grads = tape.gradient(loss, net.trainable_variables)
    opt.apply_gradients(zip(grads, net.trainable_variables))


{seed}
for step in range(1000):
    index = {index}
    train(memory[index])
"""


@pytest.mark.parametrize(
    ("index", "seed", "is_told"),
    [
        ("np.random.choice(len(memory), 64)", "", False),
        ("np.random.randint(0, 9, 64)", "", False),
        ("np.random.randint(0, 9, 64)", "np.random.seed(1)", True),  # the same on all workers
        ("other(step)", "from elsewhere import other", True),
    ],
)
def test_only_what_all_workers_take_is_named(index: str, seed: str, is_told: bool) -> None:
    found = migrate(PROGRAM.format(index=index, seed=seed))
    assert bool([n for n in found.notes if n.code == "D107"]) == is_told
