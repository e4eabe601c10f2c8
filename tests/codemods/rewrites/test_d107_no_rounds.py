"""A share that is less than a batch is an error, where a loop would train on nothing."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

TAPE = """\
import math
import numpy as np
import tensorflow as tf

x = np.random.rand(256, 4).astype("float32")
w, opt = tf.Variable(tf.zeros([4, 1])), tf.keras.optimizers.SGD(0.1)


def train(batch):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(batch @ w)
    opt.apply_gradients([(tape.gradient(loss, w), w)])


{loop}
"""
SLICES = """\
total = {total}
for epoch in range(3):
    for i in range(total):
        train(x[i * 32 : (i + 1) * 32])"""
DATA = """\
data = tf.data.Dataset.from_tensor_slices(x){stages}
for epoch in range(3):
    for batch in data:
        train(batch)"""
ERROR = ', "a worker\'s share is less than a batch"\n'


def after(loop: str) -> str:
    text = TAPE.format(loop=loop)
    found = migrate(text, Options(unsound=True, width=120)).after
    assert migrate(found, Options(width=120)).after == found
    return found


@pytest.mark.parametrize("total", ["len(x) // 32", "int(len(x) / 32)", "x.shape[0] // 32"])
def test_a_number_of_whole_batches_is_asked_for(total: str) -> None:
    asked = f"total = {total}\nassert hvd.size() == 1 or total{ERROR}"
    assert asked in after(SLICES.format(total=total))


def test_a_number_without_a_name_is_asked_for_at_the_loop() -> None:
    loop = SLICES.format(total=0).partition("\n")[2].replace("total", "len(x) // 32")
    assert f"    assert hvd.size() == 1 or (len(x) // 32){ERROR}    for i in range(" in after(loop)


def test_a_rest_of_a_batch_is_trained_on() -> None:
    assert "assert" not in after(SLICES.format(total="math.ceil(len(x) / 32)"))


def test_so_is_a_number_of_batches_of_a_share_that_is_a_dataset() -> None:
    found = after(DATA.format(stages=".batch(32, drop_remainder=True)"))
    assert f"\nassert hvd.size() == 1 or data.cardinality() != 0{ERROR}" in found


@pytest.mark.parametrize(
    "stages", [".batch(32)", ".repeat().batch(32, drop_remainder=True).take(9)"]
)
def test_a_dataset_that_keeps_its_rest_or_never_ends_has_batches(stages: str) -> None:
    assert "assert" not in after(DATA.format(stages=stages))


TRACED = """\
def epoch():
    data = tf.data.Dataset.from_tensor_slices(x).take(99).batch(32, drop_remainder=True)
    for batch in data:
        train(batch)


{run}"""


@pytest.mark.parametrize("run", ["tf.function(epoch)()", "step = tf.function(epoch)\nstep()"])
def test_a_graph_has_no_lengths(run: str) -> None:
    traced = after(TRACED.format(run=run))
    assert "len(" not in traced
    assert "assert" not in traced
    assert ".unbatch().shard(hvd.size(), hvd.rank())" in traced.replace("\n        ", "")
    eager = after(TRACED.format(run="epoch()"))
    assert "examples.take(len(examples) // hvd.size() * hvd.size())" in eager
    assert "data.cardinality() != 0" in eager
