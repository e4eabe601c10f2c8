"""Published: a global Python flag, which is read only while the step is traced.

Convicted: D202.
"""

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()

broadcast_done = False
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = tf.keras.optimizers.Adam(0.1 * hvd.size())


@tf.function
def train_step(x, y):
    global broadcast_done
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if not broadcast_done:
        hvd.broadcast_variables(model.variables, root_rank=0)
        hvd.broadcast_variables(optimizer.variables(), root_rank=0)
        broadcast_done = True


for _ in range(3):
    train_step(tf.ones([4, 2]), tf.ones([4, 1]))
