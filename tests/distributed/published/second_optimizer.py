"""Published: one broadcast for ever, though another model and optimizer come.

Convicted: H04.
"""

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()
broadcast_done = False


def train_step(model, optimizer):
    global broadcast_done
    x = tf.random.normal([4, 2])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if not broadcast_done:
        hvd.broadcast_variables(model.variables, root_rank=0)
        hvd.broadcast_variables(optimizer.variables, root_rank=0)
        broadcast_done = True


for rate in (0.1, 0.2):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    optimizer = tf.keras.optimizers.SGD(rate * hvd.size())
    for _ in range(2):
        train_step(model, optimizer)
