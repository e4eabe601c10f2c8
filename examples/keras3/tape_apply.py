"""A loop that hands its gradients to optimizer.apply, and layers that draw by a seed generator."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops


class GaussianMask(layers.Layer):
    """Multiplies by noise while it trains."""

    def __init__(self, rate, **kwargs):
        super().__init__(**kwargs)
        self.rate = rate
        self.seed_generator = keras.random.SeedGenerator(7)

    def call(self, inputs, training=False):
        if not training:
            return inputs
        noise = keras.random.normal(ops.shape(inputs), seed=self.seed_generator)
        return inputs * (1.0 + self.rate * noise)


rng = np.random.default_rng(0)
x = rng.normal(size=(602, 12)).astype("float32")
y = np.argmax(x[:, :3], axis=1)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(602, seed=1).batch(30)

model = keras.Sequential(
    [keras.Input((12,)), layers.Dense(24, "gelu"), GaussianMask(0.1), layers.Dense(3)]
)
optimizer = keras.optimizers.AdamW(learning_rate=1e-3, weight_decay=1e-4, global_clipnorm=1.0)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
accuracy = keras.metrics.SparseCategoricalAccuracy()


@tf.function
def train_step(features, labels):
    with tf.GradientTape() as tape:
        logits = model(features, training=True)
        loss = loss_fn(labels, logits)
    gradients = tape.gradient(loss, model.trainable_weights)
    optimizer.apply(gradients, model.trainable_weights)
    accuracy.update_state(labels, logits)
    return loss


for epoch in range(2):
    for features, labels in dataset:
        loss = train_step(features, labels)
    print(f"epoch {epoch}: loss {float(loss):.3f}, accuracy {float(accuracy.result()):.3f}")
    accuracy.reset_state()

model.save("tape_apply.keras")
