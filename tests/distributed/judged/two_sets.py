"""Four workers train two models, two of them each.

Sound
Options: -np 4
Says: workers 2 and 3:
"""

import horovod.tensorflow as hvd
import tensorflow as tf
from problem import batches, error, network

lower, upper = hvd.ProcessSet([0, 1]), hvd.ProcessSet([2, 3])
hvd.init(process_sets=[lower, upper])

own = lower if hvd.rank() < 2 else upper
model = network()
optimizer = tf.keras.optimizers.SGD(0.02 * own.size())
hvd.broadcast_variables(model.variables, root_rank=own.ranks[0], process_set=own)


@tf.function
def train(x, y):
    with tf.GradientTape() as tape:
        loss = error(model, x, y)
    tape = hvd.DistributedGradientTape(tape, process_set=own)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for _ in range(2):
    for x, y in batches(own.rank(), own.size()):
        train(x, y)
hvd.allreduce(tf.constant(1.0), name="done")
