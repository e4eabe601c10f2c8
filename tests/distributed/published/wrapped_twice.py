"""Published: the tape and the optimizer are wrapped, so every gradient is averaged twice."""

import horovod.tensorflow as hvd
import horovod.tensorflow.keras as hvd_keras
import tensorflow as tf

hvd.init()

weight = tf.Variable(tf.random.normal([3]))
optimizer = tf.keras.optimizers.SGD(0.1 * hvd.size())
optimizer = hvd_keras.DistributedOptimizer(optimizer)


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((weight * x) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    optimizer.minimize(loss, [weight], tape=tape)


train_step(tf.ones([3]))
library = train_step.get_concrete_function(tf.ones([3])).graph.as_graph_def().library
operations = [node.op for function in library.function for node in function.node_def]
seen = operations.count("HorovodAllreduce")
