"""A queue of one entry that gets two before any is taken out. Model: M05"""

import horovod.tensorflow as hvd
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
hvd.init()
random = np.random.RandomState(hvd.rank())
batches = tf.placeholder(tf.float32, [2, 4, 3])
queue = tf.FIFOQueue(1, [tf.float32], [[4, 3]])
with tf.control_dependencies([queue.enqueue(batches[0])]):
    second = queue.enqueue(batches[1])
with tf.control_dependencies([second]):
    x = queue.dequeue()
weights = tf.get_variable("weights", [3, 1])
loss = tf.reduce_mean((x @ weights) ** 2)
train = hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(0.01 * hvd.size())).minimize(
    loss
)
start = hvd.broadcast_global_variables(0)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(start)
    session.run(train, {batches: random.rand(2, 4, 3)})
