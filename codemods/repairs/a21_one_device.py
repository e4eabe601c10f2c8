"""Each worker sees one GPU, its own: a device that is computed, or another one, is that one there.

https://horovod.readthedocs.io/en/stable/tensorflow.html: one GPU for each process. Towers of a
model, one for each GPU, stand on it side by side, and the average of their gradients is the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Places, Replace, replace
from ..edits.patterns import EXPRESSION
from ..facts import Facts
from ..facts.sessions.unsupported_sessions import other_devices
from ..library.names import in_v1
from ..program.node_fields import within
from ._repair import Query, repair

CLUSTERS = in_v1("train.Server", "train.ClusterSpec", "train.replica_device_setter")
ONE = '"/gpu:0"'


def devices(facts: Facts) -> Iterator[At]:
    """What devices are called in a program that is alone; nothing in one of a cluster."""
    if any(True for _ in facts.calls_of(*CLUSTERS)):
        return
    for call in other_devices(facts):
        named = facts.argument(call, "device_name_or_function", 0)
        if named is not None and not _is_of_job(named):
            yield At(named, Replace(ONE))


def _is_of_job(named: ast.expr) -> bool:
    texts = (node.value for node in within(named) if isinstance(node, ast.Constant))
    return any(isinstance(text, str) and "job" in text for text in texts)


@repair(
    code="A21",
    name="one-device",
    title="Name the one GPU that each worker sees: towers stand on it side by side.",
    answers=("T06",),
    is_automatic=False,
    find=devices,
    before="""\
import tensorflow as tf

w = tf.get_variable("w", [4, 1])
x = tf.placeholder(tf.float32, [None, 4])
with tf.device("/gpu:%d" % 1):  # the second one
    loss = tf.reduce_mean(x @ w)
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(9):
        sess.run(step, {x: [[1.0, 2.0, 3.0, 4.0]]})
""",
    after="""\
import tensorflow as tf

w = tf.get_variable("w", [4, 1])
x = tf.placeholder(tf.float32, [None, 4])
with tf.device("/gpu:0"):  # the second one
    loss = tf.reduce_mean(x @ w)
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(9):
        sess.run(step, {x: [[1.0, 2.0, 3.0, 4.0]]})
""",
    noop=(
        # the processor is everywhere; a job is one of a cluster
        "import tensorflow as tf\n\nwith tf.device('/cpu:0'):\n    a = tf.constant(1)\n",
        "import tensorflow as tf\n\n"
        "with tf.device('/job:worker/task:1'):\n    a = tf.constant(1)\n",
    ),
)
def one_device(at: Places) -> Query:
    """The name stands where the other one stood."""
    return Query().select(EXPRESSION).filter(at.each(Replace)).modify(replace)
