"""An optimizer that is made where it is used.

Repair: A02.
"""

import tensorflow as tf

x = tf.random.stateless_normal((64, 4), seed=(1, 2))
data = tf.data.Dataset.from_tensor_slices((x, x[:, :1])).batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
for images, targets in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - targets) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    tf.keras.optimizers.SGD(0.01).apply_gradients(zip(gradients, model.trainable_variables))
