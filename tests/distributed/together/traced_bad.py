import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
x = np.random.RandomState(0).normal(size=(64, 4)).astype("float32")[hvd.rank() :: hvd.size()]
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.build((None, 4))
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())
optimizer.build(model.trainable_variables)
hvd.broadcast_variables(model.variables, root_rank=0)
hvd.broadcast_variables(optimizer.variables, root_rank=0)


@tf.function
def step(rows, targets):
    if hvd.rank() == 0:
        tf.print("largest", tf.reduce_mean((model(rows) - targets) ** 2))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(rows, training=True) - targets) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for i in range(0, 32, 4):
    step(x[i : i + 4], y[i : i + 4])
print("done", hvd.rank())
