"""All workers start a session from the variables of worker 0: behind what gives them values."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import os

import tensorflow.compat.v1 as tf

weight = tf.get_variable("weight", [])
train = tf.train.GradientDescentOptimizer(0.1).minimize(weight ** 2)
init, saver = tf.global_variables_initializer(), tf.train.Saver()
iterator = tf.data.make_initializable_iterator(tf.data.Dataset.range(8))
sess = tf.InteractiveSession()
# head
"""
STEPS = "for step in range(10):\n    sess.run(train)\n"
RUN = "sess.run(hvd.broadcast_global_variables(0))\n"

CASES = {
    "behind the initializer": ("sess.run(init)\n", f"sess.run(init)\n{RUN}"),
    "behind one that runs in the default session": (
        "init.run()\n",
        "init.run()\nhvd.broadcast_global_variables(0).run()\n",
    ),
    "behind the initializer of some variables": (
        "sess.run(weight.initializer)\n",
        f"sess.run(weight.initializer)\n{RUN}",
    ),
    "behind the last of two that follow each other": (
        "sess.run(init)\nsaver.restore(sess, 'c')\n",
        f"sess.run(init)\nsaver.restore(sess, 'c')\n{RUN}",
    ),
    "outside of an `if` that one worker may answer by itself": (
        "sess.run(init)\nif os.path.exists('c'):\n    saver.restore(sess, 'c')\n",
        f"sess.run(init)\nif os.path.exists('c'):\n    saver.restore(sess, 'c')\n{RUN}",
    ),
    "once for two branches": (
        "if os.path.exists('c'):\n    saver.restore(sess, 'c')\nelse:\n    sess.run(init)\n",
        "if os.path.exists('c'):\n    saver.restore(sess, 'c')\nelse:\n    sess.run(init)\n" + RUN,
    ),
    "an iterator is begun anew, and no variable": (
        "sess.run(init)\nsess.run(iterator.initializer)\n",
        f"sess.run(init)\n{RUN}sess.run(iterator.initializer)\n",
    ),
    "behind a restore that training lies before": (
        "sess.run(init)\nsess.run(train)\nsaver.restore(sess, 'c')\n",
        f"sess.run(init)\n{RUN}sess.run(train)\nsaver.restore(sess, 'c')\n{RUN}",
    ),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES)
def test_a_broadcast_follows_what_gives_values(before: str, after: str) -> None:
    found = migrate(HEAD + before + STEPS)
    assert found.blocked == ()
    assert found.after.partition("# head\n")[2].partition("for step")[0] == after


def test_what_trains_without_a_session_is_not_broadcast_so() -> None:
    text = "import tensorflow as tf\nmodel = tf.keras.Sequential()\nmodel.compile('sgd')\n"
    assert "broadcast_global" not in migrate(text + "model.fit([[1.0]], [[1.0]])\n").after
