"""A training loop at the top level of the script, the way notebooks end up."""
import os

import numpy as np
import tensorflow as tf

batch_size = int(os.environ.get("BATCH_SIZE", "20"))
learning_rate = float(os.environ.get("LEARNING_RATE", "0.05"))
examples = int(os.environ.get("EXAMPLES", "1001"))

tf.keras.utils.set_random_seed(1)

x = np.random.default_rng(5).uniform(-1, 1, size=(1001, 4)).astype("float32")
y = np.sin(3 * x.sum(axis=1, keepdims=True)).astype("float32")

dataset = tf.data.Dataset.from_tensor_slices((x[:examples], y[:examples])).batch(batch_size)

model = tf.keras.Sequential([tf.keras.layers.Dense(10, activation="tanh", input_shape=(4,)), tf.keras.layers.Dense(1)])
loss_fn = tf.keras.losses.MeanSquaredError()
optimizer = tf.keras.optimizers.SGD(learning_rate)

for epoch in range(2):
    for step, (features, labels) in enumerate(dataset):
        with tf.GradientTape() as tape:
            predictions = model(features, training=True)
            loss = loss_fn(labels, predictions)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

        if step % 20 == 0:
            print("epoch", epoch, "step", step, "loss", float(loss))  # every now and then

print("done")
print("weights:", sum(int(tf.size(v)) for v in model.trainable_variables))
