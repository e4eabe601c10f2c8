"""Writes each loss into a file that stands in one `with` with the tape, and stays open."""

import tempfile

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices(tf.random.normal([16, 2], seed=1)).batch(2)
written = []
for batch in data:
    with tempfile.TemporaryFile("w") as log, tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(batch) - 1) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        written.append(log.write(f"{float(loss)}\n"))
