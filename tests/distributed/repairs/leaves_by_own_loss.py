"""A loop that ends by the loss of a worker's own examples, in different rounds on each of them.

Repair: A06.
"""

import tensorflow as tf

x = tf.random.stateless_normal((64, 4), seed=(1, 2))
y = tf.reduce_sum(x, axis=1, keepdims=True) * tf.cast(tf.range(64)[:, None] % 2, tf.float32)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.02)
best, waited = 1e9, 0
for _epoch in range(10):
    total = 0.0
    for images, targets in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(images) - targets) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        total += loss
    if total < best * 0.99:
        best, waited = total, 0
    else:
        waited += 1
        if waited > 1:
            break
