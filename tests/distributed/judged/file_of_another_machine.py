"""Worker 1 waits for a file of rank 0's, in a folder that its machine does not share.

Convicted: D205
Options: --machines 2
Says: a file is waited for that only the first machine has
"""

import os
import time

import horovod.tensorflow as hvd
import tensorflow as tf
from problem import batches, error, network

hvd.init()

if hvd.rank() == 0:
    with open("ready", "w") as file:
        file.write("yes")
while not os.path.exists("ready"):
    time.sleep(0.2)
model = network()
optimizer = tf.keras.optimizers.SGD(0.02 * hvd.size())
hvd.broadcast_variables(model.variables, root_rank=0)
for x, y in batches(hvd.rank(), hvd.size()):
    with tf.GradientTape() as tape:
        loss = error(model, x, y)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
