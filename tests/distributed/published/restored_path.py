"""Published: rank 0 alone saves, and gets the path; the others restore nothing.

Convicted: H04.
"""

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = tf.keras.optimizers.SGD(0.1 * hvd.size())
checkpoint = tf.train.Checkpoint(model=model)
best = None

for step in range(4):
    x = tf.random.normal([4, 2])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if step == 0:
        hvd.broadcast_variables(model.variables, root_rank=0)
        hvd.broadcast_variables(optimizer.variables, root_rank=0)
    if step == 1:
        best = checkpoint.save("best") if hvd.rank() == 0 else None
    if step == 2:
        checkpoint.restore(best)
