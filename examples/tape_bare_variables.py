"""Fit a line without any layer: two variables, numpy batches, a device of one's choice."""
import numpy as np
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.set_visible_devices(gpus[:1], "GPU")

rng = np.random.default_rng(20)
x = rng.uniform(-1, 1, size=205).astype("float32")
y = 3.0 * x + 2.0

slope = tf.Variable(rng.normal(), dtype=tf.float32, name="slope")
bias = tf.Variable(0.0, name="bias")
opt_slope = tf.keras.optimizers.SGD(learning_rate=0.1)
opt_bias = tf.keras.optimizers.SGD(learning_rate=0.1)

BATCH = 16
for epoch in range(3):
    for start in range(0, len(x) - BATCH + 1, BATCH):
        x_batch = x[start : start + BATCH]
        y_batch = y[start : start + BATCH]
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((slope * x_batch - y_batch) ** 2)
        gradient = tape.gradient(loss, slope)
        opt_slope.apply_gradients([(gradient, slope)])

        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((slope * x_batch + bias - y_batch) ** 2)
        opt_bias.apply_gradients([(tape.gradient(loss, bias), bias)])

print("slope", slope.numpy())
print("bias", bias.numpy())
