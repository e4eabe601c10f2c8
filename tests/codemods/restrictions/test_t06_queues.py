"""Queues of files that end: after another number of steps on each worker, perhaps."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

TEXT = """\
import tensorflow.compat.v1 as tf

files = tf.train.{}
x = tf.train.batch([tf.cast(files, tf.float32)], 8)
loss = tf.reduce_mean(tf.layers.dense(x[:, None], 1) ** 2)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    tf.train.start_queue_runners(sess)
    for step in range(100):
        sess.run(train)
"""
ENDLESS = {
    "string_input_producer": "['a', 'b']",
    "slice_input_producer": "[['a', 'b']]",
    "range_input_producer": "100",
    "input_producer": "[1, 2], [2]",
    "limit_epochs": "[1, 2]",
}


def is_refused(call: str) -> bool:
    found = migrate(TEXT.format(call)).blocked
    return any("queues may end" in each.message for each in found)


@pytest.mark.parametrize("name", ENDLESS)
def test_a_queue_for_some_epochs_ends(name: str) -> None:
    given = ENDLESS[name]
    assert is_refused(f"{name}({given}, 3)")
    assert is_refused(f"{name}({given}, num_epochs=3)")
    assert not is_refused(f"{name}({given})")
    assert not is_refused(f"{name}({given}, num_epochs=None)")


@pytest.mark.parametrize("device", ["/gpu:0", "/device:GPU:0", "/job:localhost/CPU:0", "/cpu:0"])
def test_the_first_device_is_each_workers_own(device: str) -> None:
    text = TEXT.format("string_input_producer(['a'])")
    for given, is_first in ((device, True), (device.replace("0", "1"), False)):
        found = migrate(text.replace("loss = ", f"with tf.device({given!r}):\n    loss = ")).blocked
        assert any("which device" in each.message for each in found) is not is_first
