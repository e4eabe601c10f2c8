"""Files in an order of each worker's own: the workers take other numbers of steps."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

FIT = """\
import glob
import random
import numpy as np
import tensorflow as tf

files = sorted(glob.glob("chunks/*.npz"))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), "mse")


def read(name):
    found = np.load(name)
    return found["x"], found["y"]


{before}
for epoch in range(3):
    {order}
    for name in {files}:
        x, y = {read}
        model.fit(x, y, batch_size=8)
"""
APART = {
    "shuffled in place": ("np.random.shuffle(files)", "files", "read(name)"),
    "by Python": ("random.shuffle(files)", "files", "read(name)"),
    "by a permutation": ("pass", "np.random.permutation(files)", "read(name)"),
    "by a sample": ("pass", "random.sample(files, 4)", "read(name)"),
    "read on the spot": (
        "random.shuffle(files)",
        "files",
        'np.load(name)["x"], np.load(name)["y"]',
    ),
}
ALIKE = {
    "in one order": ("pass", "files", "read(name)"),
    "sorted": ("pass", "sorted(files)", "read(name)"),
    "of one file": ("random.shuffle(files)", "files", 'read("all.npz")'),
}


def blocked(order: str, files: str, read: str, before: str = "") -> list[str]:
    text = FIT.format(before=before, order=order, files=files, read=read)
    return [each.code for each in migrate(text).blocked]


@pytest.mark.parametrize(("order", "files", "read"), APART.values(), ids=APART)
def test_files_in_another_order_on_each_worker(order: str, files: str, read: str) -> None:
    assert blocked(order, files, read) == ["K04"]
    assert blocked(order, files, read, "random.seed(0)\nnp.random.seed(0)") == []


@pytest.mark.parametrize(("order", "files", "read"), ALIKE.values(), ids=ALIKE)
def test_files_in_one_order_are_no_matter(order: str, files: str, read: str) -> None:
    assert blocked(order, files, read) == []


def test_a_loop_of_steps_over_each_file() -> None:
    head, _, _ = FIT.partition("{before}")
    text = head + (
        "opt = tf.keras.optimizers.SGD(0.1)\n"
        "for epoch in range(3):\n"
        "    random.shuffle(files)\n"
        "    for name in files:\n"
        "        for x, y in zip(*read(name)):\n"
        "            with tf.GradientTape() as tape:\n"
        "                loss = tf.reduce_mean((model(x) - y) ** 2)\n"
        "            w = model.trainable_variables\n"
        "            opt.apply_gradients(zip(tape.gradient(loss, w), w))\n"
    )
    assert "T07" in [each.code for each in migrate(text).notes]  # which the judge refuses
    assert "T07" not in [each.code for each in migrate(text.replace("random.sh", "#")).notes]
