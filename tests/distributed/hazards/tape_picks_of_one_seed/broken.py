"""Every worker picks the same examples, by one seed: all compute one gradient.

Convicted: D107.
"""

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
random = np.random.RandomState(0)
x, y = random.rand(64, 3).astype("float32"), random.rand(64, 1).astype("float32")
picks = np.random.default_rng(1234)

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())

for step in range(8):
    chosen = picks.choice(len(x), 8, replace=False)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x[chosen]) - y[chosen]))
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if step == 0:
        hvd.broadcast_variables(model.variables, root_rank=0)
        hvd.broadcast_variables(optimizer.variables, root_rank=0)
