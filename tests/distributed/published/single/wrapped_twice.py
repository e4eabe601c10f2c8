"""One step of a loop of one's own."""

import tensorflow as tf

weight = tf.Variable(tf.random.normal([3]))
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((weight * x) ** 2)
    gradients = tape.gradient(loss, [weight])
    optimizer.apply_gradients(zip(gradients, [weight]))


for _ in range(3):
    train_step(tf.ones([3]))
