"""Published: all tapes are wrapped, so the slopes at one's own inputs are averaged over workers."""

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()

model = tf.keras.Sequential([tf.keras.layers.Dense(4, "tanh"), tf.keras.layers.Dense(1)])
inputs = tf.Variable(tf.random.normal([2, 3]))

with tf.GradientTape() as inner:
    outputs = model(inputs)
inner = hvd.DistributedGradientTape(inner)
slopes = inner.gradient(outputs, [inputs])[0]
seen = slopes.numpy().tolist()
