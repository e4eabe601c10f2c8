"""24 examples reach 3 steps of TF 1's sessions; see `data_forms.py`."""

from pathlib import Path

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
random = np.random.RandomState(0)
X, Y = random.rand(24, 5).astype("float32"), random.rand(24, 1).astype("float32")
BATCHES = [slice(start, start + 8) for start in (0, 8, 16)]


def begin(form):
    Path(f"{form}.mark").write_text(form)


def train_operation(x, y):
    weights = tf.get_variable("weights", [5, 1], initializer=tf.ones_initializer())
    loss = tf.reduce_mean((x @ weights - y) ** 2)
    step = tf.train.get_or_create_global_step()
    return tf.train.AdamOptimizer(0.1).minimize(loss, global_step=step), loss


with tf.Graph().as_default():
    x, y = tf.placeholder(tf.float32, [None, 5]), tf.placeholder(tf.float32, [None, 1])
    keep = tf.placeholder(tf.float32, [])
    train, loss = train_operation(x * keep, y)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        begin("feed")
        for batch in BATCHES:
            session.run(loss, {x: X, y: Y, keep: 1.0})
            session.run(train, {x: X[batch], y: Y[batch], keep: 1.0})
    begin("none")

with tf.Graph().as_default():
    iterator = tf.data.make_one_shot_iterator(tf.data.Dataset.from_tensor_slices((X, Y)).batch(8))
    train, _ = train_operation(*iterator.get_next())
    begin("get_next")
    with tf.train.MonitoredTrainingSession() as session:
        while not session.should_stop():
            session.run(train)
    begin("none")
