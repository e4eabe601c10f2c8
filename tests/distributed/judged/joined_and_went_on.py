"""Workers have unequal shares at first; what came out is sent, and all train on alike.

Sound
"""

import horovod.tensorflow as hvd
import tensorflow as tf
from problem import INPUTS, TARGETS, error, network

hvd.init()

own = slice(0, 144) if hvd.rank() == 0 else slice(144, 384)
data = tf.data.Dataset.from_tensor_slices((INPUTS[own], TARGETS[own])).shuffle(240).batch(24)
model = network()
optimizer = tf.keras.optimizers.SGD(0.02 * hvd.size())
hvd.broadcast_variables(model.variables, root_rank=0)


def train(batches):
    for x, y in batches:
        with tf.GradientTape() as tape:
            loss = error(model, x, y)
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))


train(data)
last = int(hvd.join())
hvd.broadcast_variables(model.variables, root_rank=last)
train(data.take(6))
