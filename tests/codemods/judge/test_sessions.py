"""Programs of TensorFlow 1 whose parts are built once and run many times, as people write them."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

PROGRAM = """\
import numpy as np
import tensorflow as tf


class Net:
    def __init__(self, decay=1e-4):
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.y = tf.placeholder(tf.float32, [None, 1])
        self.loss = tf.reduce_mean((tf.layers.dense(self.x, 1) - self.y) ** 2)
        self.loss += decay * tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables()])
        self.step = tf.train.get_or_create_global_step()
        self.train = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss, self.step)


def main():
    x, y = np.load("x.npy"), np.load("y.npy")
    net = Net()
    saver = tf.train.Saver()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        last = tf.train.latest_checkpoint("logs")
        if last:
            saver.restore(sess, last)
        for epoch in range(9):
            for i in range(len(x) // 32):
                fed = {net.x: x[i * 32 : i * 32 + 32], net.y: y[i * 32 : i * 32 + 32]}
                sess.run(net.train, fed)
            saver.save(sess, "logs/model", global_step=net.step)


main()
"""


def test_what_is_built_once_goes_no_further_with_each_step() -> None:
    assert [each.code for each in migrate(PROGRAM).blocked] == []


def test_the_broadcast_stands_behind_the_choice_to_restore() -> None:
    lines = [line.strip() for line in migrate(PROGRAM).after.splitlines()]
    assert lines.index("saver.restore(sess, last)") < lines.index(
        "sess.run(hvd.broadcast_global_variables(0))"
    )


@pytest.mark.parametrize(
    "early",
    [
        "        if not last:\n            return\n",
        "        if last:\n            raise SystemExit\n",
    ],
)
def test_who_leaves_before_the_broadcast_lets_the_others_wait(early: str) -> None:
    found = migrate(PROGRAM.replace("        for epoch", f"{early}        for epoch")).blocked
    assert "T07" in {each.code for each in found}
