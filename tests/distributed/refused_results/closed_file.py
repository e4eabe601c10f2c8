"""Obligation: same. The log is closed behind its `with`, and the step is written to it there."""

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.01)
data = tf.data.Dataset.from_tensor_slices(
    (tf.random.normal([64, 4], seed=1), tf.ones([64, 1]))
).batch(8)
for x, y in data:
    with open("log.txt", "a") as log, tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(gradients, model.trainable_variables))
        log.write(f"{float(loss)}\n")
