"""A compiled training step, a cosine schedule, and a checkpoint after every epoch."""

import keras
import numpy as np
import tensorflow as tf

EPOCHS = 2
BATCH = 32

rng = np.random.default_rng(0)
images = rng.normal(size=(600, 8, 8, 1)).astype("float32")
labels = (images.mean(axis=(1, 2, 3)) > 0).astype("int64")
train_ds = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(600).batch(BATCH)

model = keras.Sequential(
    [
        keras.layers.Conv2D(4, 3, activation="relu"),
        keras.layers.BatchNormalization(),
        keras.layers.Flatten(),
        keras.layers.Dense(2),
    ]
)
loss_object = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
schedule = keras.optimizers.schedules.CosineDecay(1e-3, decay_steps=100)
optimizer = keras.optimizers.Adam(schedule)
train_loss = keras.metrics.Mean(name="train_loss")

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


for epoch in range(EPOCHS):
    train_loss.reset_state()
    for images, labels in train_ds:
        train_step(images, labels)
    path = manager.save()
    print(f"Epoch {epoch + 1}, loss {train_loss.result():.3f}, saved {path}")
