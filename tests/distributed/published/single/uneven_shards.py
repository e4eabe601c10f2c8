"""An odd number of examples."""

import tensorflow as tf

weight = tf.Variable(1.0)
optimizer = tf.keras.optimizers.SGD(0.01)
for x in tf.data.Dataset.range(9):
    with tf.GradientTape() as tape:
        loss = (weight - tf.cast(x, tf.float32)) ** 2
    gradients = tape.gradient(loss, [weight])
    optimizer.apply_gradients(zip(gradients, [weight]))
