"""One variable, not in a list."""

import tensorflow as tf

weight = tf.Variable(tf.random.normal([2]))
optimizer = tf.keras.optimizers.SGD(0.1)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(weight**2)
gradient = tape.gradient(loss, weight)
optimizer.apply_gradients([(gradient, weight)])
