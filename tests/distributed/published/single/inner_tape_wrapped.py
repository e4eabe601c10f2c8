"""A penalty on the slope at the inputs."""

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(4, "tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
inputs = tf.random.normal([2, 3])

for _ in range(2):
    with tf.GradientTape() as tape:
        with tf.GradientTape() as inner:
            inner.watch(inputs)
            outputs = model(inputs)
        slopes = inner.gradient(outputs, [inputs])[0]
        loss = tf.reduce_mean(outputs) + tf.reduce_mean(slopes**2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
