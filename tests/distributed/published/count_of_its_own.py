"""Published: each worker's loop goes on at the epoch that its own files tell.

Convicted: H03. One worker makes fewer steps than the others, which wait for it.
"""

import os
import tempfile

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()

disk = tempfile.mkdtemp()  # of each machine: here they hold as many files as its rank
for epoch in range(int(os.environ.get("HOROVOD_RANK", "0"))):
    open(os.path.join(disk, f"{epoch}.h5"), "w").close()

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())
start = len(os.listdir(disk))
for epoch in range(start, 3):
    x = tf.random.normal([8, 2])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if epoch == start:
        hvd.broadcast_variables(model.variables, root_rank=0)
        hvd.broadcast_variables(optimizer.variables, root_rank=0)
