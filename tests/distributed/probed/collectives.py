"""Everything that a program can ask of Horovod, in eager code and in functions."""

import sys

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()
hvd.init()  # a library may have done it already
rank = hvd.rank()
weights = [tf.Variable([1.0, 2.0], name="first"), tf.Variable(3.0, name="second")]


def slopes(x, wrap=True):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(weights[0] * x) * weights[1]
    tape = hvd.DistributedGradientTape(tape)
    return tape.gradient(loss, weights)


@tf.function
def step(x):
    if x > 1.0:  # so that AutoGraph has something to rewrite
        x = x + 1.0
    gradients = slopes(x)
    for weight, gradient in zip(weights, gradients):
        weight.assign_sub(0.1 * gradient)


@tf.function
def spread():
    hvd.broadcast_variables(weights, root_rank=0)


def penalty(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.reduce_sum(x * weights[0])
    return hvd.DistributedGradientTape(tape).gradient(loss, [x])


step(tf.constant(1.0))
spread()
hvd.broadcast_variables(weights, root_rank=0)
slopes(tf.constant(2.0))
penalty(tf.constant([1.0, 1.0]))
hvd.allreduce(tf.constant([1, 2]), name="sum", op=hvd.Sum)
hvd.grouped_allreduce([tf.constant(1.0), tf.constant([2.0])])
hvd.allgather(tf.zeros([rank + 1, 2]))  # workers may bring different amounts
hvd.broadcast(tf.constant(rank), 0, name="number")
hvd.alltoall(tf.range(4))
hvd.reducescatter(tf.range(4), op=hvd.Sum)
print("TOLD", hvd.broadcast_object({"rank": rank}, 0, name="settings"))
hvd.join()
if "fail" in sys.argv:
    hvd.allreduce(tf.constant([1.0] * (rank + 1)), name="uneven")
