"""A network learns what a random one says, which nobody trains (exploration by prediction)."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

predictor = tf.keras.Sequential([layers.Dense(2)])
frozen = tf.keras.Sequential([layers.Dense(2)])
frozen.trainable = False
optimizer = tf.keras.optimizers.SGD(0.1)


def surprise(states):
    return tf.reduce_mean((predictor(states) - frozen(states)) ** 2)


def update(states):
    with tf.GradientTape() as tape:
        loss = surprise(states)
    gradients = tape.gradient(loss, predictor.trainable_weights)
    optimizer.apply_gradients(zip(gradients, predictor.trainable_weights))
    return loss


for _ in range(2):
    update(np.random.rand(8, 4).astype("float32"))
