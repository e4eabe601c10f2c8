"""Published: one broadcast for ever, though copies of before it are assigned to the variables.

Convicted: H04.
"""

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = tf.keras.optimizers.SGD(0.1 * hvd.size())
broadcast_done = False
initial = [tf.identity(variable) for variable in model.variables]

for _fold in range(2):
    tf.nest.map_structure(lambda v, value: v.assign(value), model.variables, initial)
    for _ in range(2):
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
