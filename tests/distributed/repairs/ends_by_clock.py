"""A loop that ends by the clock: no two workers pass the limit in the same round.

Repair: A24.
"""

import time

import tensorflow as tf

x = tf.random.stateless_normal((64, 4), seed=(1, 2))
data = tf.data.Dataset.from_tensor_slices(x).batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.02)
begun = time.time()
for _epoch in range(400):
    for images in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(images) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if time.time() - begun > 2:
        break
