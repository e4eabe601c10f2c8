"""The step runs inside print()."""

import tensorflow as tf

weight = tf.Variable(1.0)
optimizer = tf.keras.optimizers.SGD(0.01)


def train_step(x):
    with tf.GradientTape() as tape:
        loss = (weight - x) ** 2
    gradients = tape.gradient(loss, [weight])
    optimizer.apply_gradients(zip(gradients, [weight]))
    return float(loss)


for x in [1.0, 2.0]:
    print("loss", train_step(x))
