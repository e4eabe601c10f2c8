"""1,000 examples, shared out among all workers; what `form` says goes wrong with 64 of them.

`uneven`: some have an example more. `least`: all make the steps of the smallest share. `few`: only
eight of them log.
"""

import sys

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
form = sys.argv[1]
x = np.random.RandomState(0).rand(1000, 4).astype("float32")
data = tf.data.Dataset.from_tensor_slices((x, x.sum(1, keepdims=True)))
data = data.shard(hvd.size(), hvd.rank()).batch(1)
weights = tf.Variable(tf.zeros([4, 1]))
optimizer = tf.keras.optimizers.SGD(0.001 * hvd.size())
total = int(hvd.allreduce(tf.constant(1), op=hvd.Sum))
assert total == hvd.size(), total
steps = len(data)
if form != "uneven":
    steps = int(hvd.allreduce(tf.constant(steps), op=hvd.Min))


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ weights - y) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, [weights])
    optimizer.apply_gradients(zip(gradients, [weights]))
    return loss


for number, (x, y) in enumerate(data.take(steps)):
    loss = step(x, y)
    if number == 0:
        hvd.broadcast_variables([weights, *optimizer.variables], root_rank=0)
    if form == "few" and number == 3 and hvd.rank() < 8:
        print("loss", float(hvd.allreduce(loss, name="loss")))
