"""Every session sees the GPU of its process only, and takes no more of its memory than it needs.

Seed 002; https://horovod.readthedocs.io/en/stable/tensorflow.html, step 2. The published rule
writes `config.` whatever the program calls its configuration.
"""

from __future__ import annotations

from ..edits import (
    FoldCall,
    Insert,
    Name,
    Places,
    SetArgument,
    fold_call,
    insert,
    name,
    set_argument,
)
from ..edits.patterns import CALL, STATEMENT
from ._rewrite import Query, rewrite
from ._session_configs import session_configs


@rewrite(
    code="D401",
    name="session-config",
    summary="Give each session of TensorFlow 1 one GPU.",
    needs=("D101", "D102"),
    find=session_configs,
    before="""\
import tensorflow.compat.v1 as tf

weight = tf.get_variable("weight", [])
train = tf.train.GradientDescentOptimizer(0.1).minimize((weight - 3) ** 2)
settings = tf.ConfigProto(allow_soft_placement=True)

with tf.Session(config=settings) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train)
sess = tf.Session(config=tf.ConfigProto(log_device_placement=True))
sess.run(tf.global_variables_initializer())
sess.run(train)
""",
    after="""\
import horovod.tensorflow as hvd
import tensorflow.compat.v1 as tf

hvd.init()

weight = tf.get_variable("weight", [])
train = tf.train.GradientDescentOptimizer(0.1).minimize((weight - 3) ** 2)
settings = tf.ConfigProto(allow_soft_placement=True)
settings.gpu_options.allow_growth = True
settings.gpu_options.visible_device_list = str(hvd.local_rank())

with tf.Session(config=settings) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train)
config = tf.ConfigProto(log_device_placement=True)
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
sess = tf.Session(config=config)
sess.run(tf.global_variables_initializer())
sess.run(train)
""",
    noop=(
        # nothing is trained
        "import tensorflow.compat.v1 as tf\n\nprint(tf.ConfigProto())\n",
    ),
)
def session_config(at: Places) -> Query:
    """What is made in the call of the session gets a name first, so that it can be changed."""
    return (
        Query()
        .select(CALL)
        .filter(at.each(Name))
        .modify(name)
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(CALL)
        .filter(at.each(SetArgument))
        .modify(set_argument)
        .select(CALL)
        .filter(at.each(FoldCall))
        .modify(fold_call)
    )
