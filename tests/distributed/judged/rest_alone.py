"""What is left of an epoch is applied by each worker for itself.

Convicted: D201
At: apply([each / left for each in total])
Says: step 4 is made without any averaging, after steps with 4 allreduce each
"""

import horovod.tensorflow as hvd
import tensorflow as tf
from problem import batches, error, network

hvd.init()

model = network()
optimizer = tf.keras.optimizers.SGD(0.02 * hvd.size())
hvd.broadcast_variables(model.variables, root_rank=0)


def apply(gradients):
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for _ in range(2):
    total, left = None, 0
    for x, y in batches(hvd.rank(), hvd.size(), 17):
        with tf.GradientTape() as tape:
            loss = error(model, x, y)
        new = tape.gradient(loss, model.trainable_variables)
        total = new if total is None else [one + two for one, two in zip(total, new)]
        left += 1
        if left == 3:
            apply([hvd.allreduce(each / 3) for each in total])
            total, left = None, 0
    if left:
        apply([each / left for each in total])
