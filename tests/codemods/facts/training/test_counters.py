"""Counters that a program keeps in variables of its own: asked for, and put back, alike by all."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

PROGRAM = """\
import numpy as np
import tensorflow.compat.v1 as tf

x = tf.placeholder(tf.float32, [None, 4])
loss = tf.reduce_mean(tf.layers.dense(x, 1))
train = tf.train.AdamOptimizer(0.01).minimize(loss)
epoch = tf.Variable({begin})
saver = tf.train.Saver()
with tf.Session() as sess:
    tf.global_variables_initializer().run()
    saver.restore(sess, "model")
    first = {asked}
    for number in range(first, 100):
        sess.run(train, {{x: np.random.rand(8, 4)}})
        {put}
"""
COUNTER = "0, trainable=False"
ALIKE = [
    (COUNTER, "epoch.eval()", "epoch.assign(number).eval()"),
    (COUNTER, "sess.run(epoch)", "sess.run(epoch.assign(number + 1))"),
    (COUNTER, "sess.run(epoch)", "sess.run(tf.assign(epoch, number))"),
]
OWN = [
    (COUNTER, "epoch.eval()", "sess.run(epoch.assign(np.random.randint(9)))"),
    (COUNTER, "epoch.eval()", "sess.run(epoch.assign(number + int(sess.run(loss, {x: [[1]]}))))"),
    ("tf.random_normal([])", "sess.run(loss, {x: [[1]]})", "sess.run(epoch.assign(number))"),
]


@pytest.mark.parametrize(("begin", "asked", "put"), ALIKE)
def test_a_counter_is_the_same_on_all_workers(begin: str, asked: str, put: str) -> None:
    found = migrate(PROGRAM.format(begin=begin, asked=asked, put=put))
    assert found.blocked == ()
    loop = found.after.partition('saver.restore(sess, "model")\n')[2]
    assert loop.startswith("    sess.run(hvd.broadcast_global_variables(0))\n    first = ")


@pytest.mark.parametrize("along", [False, True])
def test_one_that_gets_values_in_the_run_of_a_step_is_not_followed(along: bool) -> None:
    put = "sess.run(rate.assign(0.1 * sess.run(epoch)))"
    text = PROGRAM.format(begin=COUNTER, asked="0", put=put)
    text = text.replace("saver = ", "rate = tf.Variable(0.1, trainable=False)\nsaver = ")
    if along:
        text = text.replace("run(train, ", "run([train, epoch.assign_add(np.random.randint(9))], ")
    found = migrate(text)
    assert any("between the steps" in each.message for each in found.blocked) is along


@pytest.mark.parametrize(("begin", "asked", "put"), OWN)
def test_what_a_worker_puts_there_of_its_own_is_none(begin: str, asked: str, put: str) -> None:
    text = PROGRAM.format(begin=begin, asked=asked, put=put)
    found = migrate(text)
    assert found.after == text
    assert any(each.code in ("T06", "T07") for each in found.blocked)
