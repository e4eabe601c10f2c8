"""Workers have unequal shares, and who joined first ends with the weights of its own last step.

Convicted: D202
At: hvd.join()
Says: who joined first kept its weights as they were
Never: call different collectives
"""

import horovod.tensorflow as hvd
import tensorflow as tf
from problem import INPUTS, TARGETS, error, network

hvd.init()

own = slice(0, 144) if hvd.rank() == 0 else slice(144, 384)
data = tf.data.Dataset.from_tensor_slices((INPUTS[own], TARGETS[own])).batch(24)
model = network()
optimizer = tf.keras.optimizers.SGD(0.02 * hvd.size())
hvd.broadcast_variables(model.variables, root_rank=0)
for x, y in data:
    with tf.GradientTape() as tape:
        loss = error(model, x, y)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
hvd.join()
if hvd.rank() == 0:
    model.save_weights("model.weights.h5")
