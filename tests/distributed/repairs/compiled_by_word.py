"""A loop of its own that asks the model for its optimizer, which `compile` was given as a word.

Repair: A25.
"""

import tensorflow as tf

x = tf.random.stateless_normal((64, 4), seed=(1, 2))
data = tf.data.Dataset.from_tensor_slices(x).batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
for _epoch in range(2):
    for images in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(images) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        model.optimizer.apply_gradients(zip(gradients, model.trainable_variables))
