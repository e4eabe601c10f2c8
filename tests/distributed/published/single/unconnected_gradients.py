"""A variable that the loss doesn't depend on."""

import tensorflow as tf

used, unused = tf.Variable(tf.random.normal([2])), tf.Variable(1.0)
optimizer = tf.keras.optimizers.SGD(0.1)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(used**2)
gradients = tape.gradient(loss, [used, unused], unconnected_gradients=tf.UnconnectedGradients.ZERO)
optimizer.apply_gradients(zip(gradients, [used, unused]))
