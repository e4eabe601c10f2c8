"""Published: all tapes are wrapped, so the slopes at one's own inputs are averaged over workers.

Convicted: D201.
"""

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()

model = tf.keras.Sequential([tf.keras.layers.Dense(4, "tanh"), tf.keras.layers.Dense(1)])
model.build((None, 3))
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())
broadcast_done = False

for _ in range(3):
    inputs = tf.random.normal([2, 3])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(inputs)
            outputs = model(inputs)
        inner = hvd.DistributedGradientTape(inner)
        slopes = inner.gradient(outputs, [inputs])[0]
        loss = tf.reduce_mean(outputs**2) + tf.reduce_mean(slopes**2)
    outer = hvd.DistributedGradientTape(outer)
    gradients = outer.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if not broadcast_done:
        hvd.broadcast_variables(model.variables, root_rank=0)
        broadcast_done = True
