"""How often a session saves or evaluates is a number of steps, of which a worker takes a share."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

PROGRAM = """\
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
x = tf.placeholder(tf.float32, [None, 4])
loss = tf.reduce_mean(tf.square(tf.layers.dense(x, 1)))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
copy = tf.global_variables()[0].assign(tf.zeros([4, 1]))
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for step in range(100):
    sess.run(train, {{x: np.random.rand(8, 4)}})
    if step % 20 == 0:
        {body}
"""
SHARE = "if step % max(1, 20 // hvd.size()) == 0:"


@pytest.mark.parametrize(
    ("body", "is_divided"),
    [
        ("print(sess.run(loss, {x: np.ones((8, 4))}))", True),
        ("value = loss.eval({x: np.ones((8, 4))}, sess)", True),
        ("print('step', step)", False),
        ("sess.run(copy)", True),  # weights that the training goes by, one step as far as N
        ("_, value = sess.run([train, loss], {x: np.random.rand(8, 4)})", False),
    ],
)
def test_a_session_that_evaluates_now_and_then_does_so_in_its_share(
    body: str, is_divided: bool
) -> None:
    found = migrate(PROGRAM.format(body=body), Options(unsound=True))
    assert "range(max(1, 100 // hvd.size()))" in found.after
    assert (SHARE in found.after) is is_divided


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (
            "tf.train.MonitoredTrainingSession(save_checkpoint_steps=50)",
            "save_checkpoint_steps=max(1, 50 // hvd.size())",
        ),
        (
            "tf.train.MonitoredTrainingSession(hooks=[tf.train.CheckpointSaverHook('m', None, 50)])",
            "tf.train.CheckpointSaverHook('m', None, max(1, 50 // hvd.size()))",
        ),
    ],
)
def test_a_monitored_session_saves_after_a_share_of_the_steps(made: str, expected: str) -> None:
    text = PROGRAM.format(body="pass").replace("tf.Session()", made)
    text = text.replace("sess.run(tf.global_variables_initializer())\n", "")
    found = migrate(
        text.replace("    if step % 20 == 0:\n        pass\n", ""), Options(unsound=True)
    )
    assert expected in found.after
