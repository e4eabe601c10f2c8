"""A rate that falls once."""

import tensorflow as tf

weight = tf.Variable(tf.random.normal([3]))
schedule = tf.keras.optimizers.schedules.PiecewiseConstantDecay([5], [0.1, 0.01])
optimizer = tf.keras.optimizers.SGD(schedule)
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((weight - tf.random.normal([3])) ** 2)
    gradients = tape.gradient(loss, [weight])
    optimizer.apply_gradients(zip(gradients, [weight]))
