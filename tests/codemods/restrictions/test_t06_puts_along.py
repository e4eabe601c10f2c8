"""Weights that get other values in the run of a step, and behind it in one of its own."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

PROGRAM = """\
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [None, 4])
w, b = tf.Variable(tf.random_normal([4, 1])), tf.get_variable("b", [1])
mean = tf.Variable(tf.zeros([1]), trainable=False)
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b))
train = tf.train.GradientDescentOptimizer(0.05).minimize(loss)
clip = [p.assign(tf.clip_by_value(p, -0.01, 0.01)) for p in [w, b]]
keep = tf.assign(mean, 0.9 * mean + 0.1 * tf.reduce_mean(x))
count = tf.assign_add(mean, [1.0])
with tf.control_dependencies([train]):
    after = tf.assign(b, tf.minimum(b, 1.0))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(100):
        {}
"""
FED = "{x: np.random.rand(8, 4)}"
DRIFTS = (
    f"sess.run([train, clip], {FED})",
    f"sess.run((loss, train, clip[0]), {FED})",
    f"sess.run([train, w.assign(np.random.rand(4, 1))], {FED})",
    f"sess.run([train, tf.assign(b, [0.5])], {FED})",
)
KEEPS = (
    f"sess.run(train, {FED}); sess.run(clip)",
    f"sess.run(train, {FED}); sess.run([clip])",
    f"sess.run([train, keep], {FED})",  # what each sees of its own share
    f"sess.run([train, count, loss], {FED})",
    f"sess.run([train, after], {FED})",
    f"sess.run([train, tf.reduce_max(w)], {FED})",
    f"sess.run([train, tf.assign(w, tf.zeros([4, 1]))], {FED}) if False else sess.run(train, {FED})",
)


@pytest.mark.parametrize("line", DRIFTS)
def test_weights_that_are_changed_along_with_a_step_are_refused(line: str) -> None:
    text = PROGRAM.replace("{}", line)
    found = migrate(text)
    assert found.after == text
    told = [each for each in found.blocked if "in the run of a step" in each.message]
    assert [each.code for each in told] == ["T06"]
    assert "in a run of its own" in told[0].fix


@pytest.mark.parametrize("line", KEEPS)
def test_so_they_are_not_behind_it_or_where_order_is_given(line: str) -> None:
    assert migrate(PROGRAM.replace("{}", line)).blocked == ()
