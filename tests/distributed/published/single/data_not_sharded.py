"""Which examples does a worker train on?"""

import tensorflow as tf

weight = tf.Variable(tf.random.normal([1]))
optimizer = tf.keras.optimizers.SGD(0.01)
dataset = tf.data.Dataset.range(11).batch(2)
for batch in dataset:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((weight - tf.cast(batch, tf.float32)) ** 2)
    gradients = tape.gradient(loss, [weight])
    optimizer.apply_gradients(zip(gradients, [weight]))
