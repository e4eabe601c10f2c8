"""One seed for all workers: they draw the same examples, and train N times on each.

Convicted: D107.
"""

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()
tf.random.set_seed(42)

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())
for step in range(20):
    x = tf.random.normal([16, 2])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - tf.reduce_sum(x, 1, keepdims=True)) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if step == 0:
        hvd.broadcast_variables(model.variables, root_rank=0)
        hvd.broadcast_variables(optimizer.variables, root_rank=0)
