"""An optimizer with a schedule."""

import tensorflow as tf

weight = tf.Variable(tf.random.normal([3]))
schedule = tf.keras.optimizers.schedules.ExponentialDecay(0.1, decay_steps=10, decay_rate=0.5)
optimizer = tf.keras.optimizers.SGD(learning_rate=schedule)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(weight**2)
gradients = tape.gradient(loss, [weight])
optimizer.apply_gradients(zip(gradients, [weight]))
