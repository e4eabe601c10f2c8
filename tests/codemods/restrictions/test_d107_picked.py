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
        ("np.random.randint(0, 9, 64)", "np.random.seed(1)", False),  # alike, so they are dealt out
        ("np.random.permutation(len(memory))[:64]", "", False),
        ("np.random.permutation(len(memory))[0]", "", False),
        ("np.random.permutation(len(memory))", "", True),  # all of them, in another order
        ("np.random.permutation(memory.shape[0])", "", True),
        ("order[step : step + 8]", "order = np.random.permutation(len(memory))", True),
        ("other(step)", "from elsewhere import other", True),
    ],
)
def test_only_what_all_workers_take_is_named(index: str, seed: str, is_told: bool) -> None:
    found = migrate(PROGRAM.format(index=index, seed=seed))
    assert bool([n for n in found.notes if n.code == "D107"]) == is_told


def test_alike_picks_are_dealt_out() -> None:
    text = PROGRAM.format(index="np.random.randint(0, 9, 64)", seed="np.random.seed(1)")
    dealt = "[np.random.randint(0, 9, 64) for turn in range(hvd.size())][hvd.rank()]"
    after = migrate(text).after.replace("\n", "").replace("    ", "")
    assert f"index = {dealt}" in after


def test_a_long_pick_is_broken_in_its_list() -> None:
    draw = "np.random.choice(len(memory), 64, replace=False)"
    after = migrate(PROGRAM.format(index=draw, seed="np.random.seed(1)")).after
    turns = "for turn in range(hvd.size())"
    assert f"index = [\n        {draw} {turns}\n    ][hvd.rank()]\n" in after


def test_how_many_drawn_examples_there_are_is_not_drawn() -> None:
    """`memory` is made by chance, and gone through in an order all the same."""
    text = PROGRAM.replace('np.load("m.npy")', "np.random.rand(800, 3)").format(
        index="order[step : step + 8]", seed="order = np.random.permutation(len(memory))"
    )
    assert [n.line for n in migrate(text).notes if n.code == "D107"]


def test_what_is_put_in_another_order_before_it_is_cut_is_named() -> None:
    text = PROGRAM.format(index="slice(step, step + 8)", seed="order = 0").replace(
        "    index =", "    memory = memory[np.random.permutation(len(memory))]\n    index ="
    )
    assert [n.line for n in migrate(text).notes if n.code == "D107"]
