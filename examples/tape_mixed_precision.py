"""Mixed precision in a loop of our own: scale the loss, unscale the gradients."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.mixed_precision.set_global_policy("mixed_float16")

x_train = np.random.default_rng(15).normal(size=(200, 10)).astype("float32")
y_train = (x_train.sum(axis=1) > 0).astype("int32")
train_dataset = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(200, seed=2).batch(20)

inputs = keras.Input(shape=(10,), name="features")
x = keras.layers.Dense(16, activation="relu", name="dense_1")(inputs)
outputs = keras.layers.Dense(2, activation="softmax", dtype="float32", name="predictions")(x)
model = keras.Model(inputs=inputs, outputs=outputs)

loss_object = keras.losses.SparseCategoricalCrossentropy()
optimizer = keras.optimizers.RMSprop(learning_rate=1e-3)
optimizer = keras.mixed_precision.LossScaleOptimizer(optimizer)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        predictions = model(x, training=True)
        loss = loss_object(y, predictions)
        scaled_loss = optimizer.get_scaled_loss(loss)
    scaled_gradients = tape.gradient(scaled_loss, model.trainable_variables)
    gradients = optimizer.get_unscaled_gradients(scaled_gradients)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for epoch in range(2):
    total = 0.0
    for batch, (x, y) in enumerate(train_dataset):
        total += train_step(x, y)
    print(f"Epoch {epoch}: loss={total / (batch + 1)}, scale={float(optimizer.loss_scale)}")
