"""Each worker begins with the weights of one seed; nothing is broadcast, and nothing needs to be.

Sound
Says: where distify had moved the weights of workers above 0 apart they stayed apart
"""

import horovod.tensorflow as hvd
import tensorflow as tf
from problem import batches, error, network

hvd.init()
tf.keras.utils.set_random_seed(5)

model = network()
optimizer = tf.keras.optimizers.SGD(0.02 * hvd.size())
for x, y in batches(hvd.rank(), hvd.size()):
    with tf.GradientTape() as tape:
        loss = error(model, x, y)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
