"""Two epochs in a monitored session, which ends where the data does; plain SGD."""
import os

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.set_random_seed(5)

BATCH_SIZE = int(os.environ.get("BATCH_SIZE", "20"))
LEARNING_RATE = float(os.environ.get("LEARNING_RATE", "0.05"))
EXAMPLES = int(os.environ.get("EXAMPLES", "1000"))

inputs = np.random.RandomState(9).normal(size=(EXAMPLES, 4)).astype("float32")
outputs = inputs[:, :1] - inputs[:, 1:2] * inputs[:, 2:3]

dataset = tf.data.Dataset.from_tensor_slices((inputs, outputs)).repeat(2).batch(BATCH_SIZE)
iterator = tf.data.make_initializable_iterator(dataset)
x, y = iterator.get_next()

net = tf.layers.dense(tf.layers.dense(x, 8, activation=tf.nn.tanh), 1)
loss = tf.reduce_mean(tf.square(net - y))
step = tf.train.get_or_create_global_step()
optimizer = tf.train.GradientDescentOptimizer(LEARNING_RATE)
train = optimizer.minimize(loss, global_step=step)

local_init = tf.group(tf.local_variables_initializer(), iterator.initializer)
scaffold = tf.train.Scaffold(local_init_op=local_init, saver=tf.train.Saver(max_to_keep=1))
config = tf.ConfigProto(allow_soft_placement=True)

with tf.train.MonitoredSession(
    session_creator=tf.train.ChiefSessionCreator(scaffold=scaffold, config=config)
) as session:
    while not session.should_stop():
        session.run(train)
