"""A wrapped optimizer of Keras minimizes with a plain tape: it averages what it applies."""

import numpy as np
import tensorflow as tf

import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

x = np.random.RandomState(0).rand(256, 4).astype("float32")
data = tf.data.Dataset.from_tensor_slices(x).shard(hvd.size(), hvd.rank()).repeat().batch(16)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.01 * hvd.size()))
for step, inputs in enumerate(data.take(100 // hvd.size())):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(inputs, training=True) ** 2)
    optimizer.minimize(loss, model.trainable_variables, tape=tape)
    if step == 0:
        hvd.broadcast_variables(model.variables, root_rank=0)
        hvd.broadcast_variables(optimizer.variables, root_rank=0)
