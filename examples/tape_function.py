"""A compiled training step, a cosine schedule, and a checkpoint after every epoch."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import Model
from tensorflow.keras.layers import Conv2D, Dense, Flatten

EPOCHS = 2
BATCH = 32

rng = np.random.default_rng(0)
images = rng.normal(size=(601, 8, 8, 1)).astype("float32")
labels = (images.mean(axis=(1, 2, 3)) > 0).astype("int64")

train_ds = tf.data.Dataset.from_tensor_slices((images[:500], labels[:500])).shuffle(500).batch(BATCH)
test_ds = tf.data.Dataset.from_tensor_slices((images[500:], labels[500:])).batch(BATCH)


class MyModel(Model):
    def __init__(self):
        super().__init__()
        self.conv1 = Conv2D(4, 3, activation="relu")
        self.flatten = Flatten()
        self.d1 = Dense(16, activation="relu")
        self.d2 = Dense(2)

    def call(self, x):
        x = self.conv1(x)
        x = self.flatten(x)
        x = self.d1(x)
        return self.d2(x)


model = MyModel()

loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(
    learning_rate=tf.keras.optimizers.schedules.CosineDecay(1e-3, decay_steps=100),
)

train_loss = tf.keras.metrics.Mean(name="train_loss")
test_accuracy = tf.keras.metrics.SparseCategoricalAccuracy(name="test_accuracy")

checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer)
manager = tf.train.CheckpointManager(checkpoint, "./tape_function_checkpoints", max_to_keep=2)


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        predictions = model(images, training=True)
        loss = loss_object(labels, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    train_loss(loss)


@tf.function
def test_step(images, labels):
    predictions = model(images, training=False)
    test_accuracy(labels, predictions)


for epoch in range(EPOCHS):
    # Reset the metrics at the start of the next epoch
    train_loss.reset_states()
    test_accuracy.reset_states()

    for images, labels in train_ds:
        train_step(images, labels)

    for test_images, test_labels in test_ds:
        test_step(test_images, test_labels)

    path = manager.save()
    print(f"Epoch {epoch + 1}, Loss: {train_loss.result():.3f}, Accuracy: {test_accuracy.result():.3f}, saved {path}")
