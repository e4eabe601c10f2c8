"""A network learns towards a target that is a copy of it, taken over every few steps."""

import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(4,))])
target = tf.keras.models.clone_model(model)
target.set_weights(model.get_weights())
optimizer = tf.keras.optimizers.SGD(0.1)


def wanted(states):
    return 1.0 + 0.9 * tf.reduce_max(target(states), axis=1)


for step in range(2):
    states = np.random.rand(8, 4).astype("float32")
    with tf.GradientTape() as tape:
        values = model(states)[:, 0]
        loss = tf.reduce_mean((values - wanted(states)) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if step == 2:
        target.set_weights(model.get_weights())
