"""A step inside of a lambda and of a conditional expression.

Repair: A03.
"""

import tensorflow as tf

x = tf.random.stateless_normal((64, 4), seed=(1, 2))
data = tf.data.Dataset.from_tensor_slices((x, x[:, :1])).batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
for step, (images, targets) in enumerate(data):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - targets) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables)) if step else None
