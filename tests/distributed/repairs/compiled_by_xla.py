"""A step that XLA compiles.

Repair: A04.
"""

import tensorflow as tf

x = tf.random.stateless_normal((64, 4), seed=(1, 2))
data = tf.data.Dataset.from_tensor_slices((x, x[:, :1])).batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)


@tf.function(jit_compile=True)
def train_step(images, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - targets) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for images, targets in data:
    train_step(images, targets)
