# -*- coding: utf-8 -*-
"""Transfer learning in two phases: first the head alone, then the top of the base as well.

The real thing loads `weights="imagenet"`; here the base starts from nothing and is tiny.
"""
import os

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

IMG_SIZE = (32, 32)
BATCH_SIZE = 16
NUM_CLASSES = 3
INITIAL_EPOCHS = 2
FINE_TUNE_EPOCHS = 2
BASE_LR = 1e-3
FINE_TUNE_AT = 4
CHECKPOINT_DIR = "transfer_checkpoints"


def make_images(n, seed):
    """Stripes of three directions in noise."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, NUM_CLASSES, n)
    y, x = np.mgrid[: IMG_SIZE[0], : IMG_SIZE[1]]
    directions = np.stack([x, y, x + y])
    images = np.sin(directions[labels] * 0.8)[..., None] + rng.normal(0, 0.6, (n, *IMG_SIZE, 3))
    return ((images + 3) * 40).clip(0, 255).astype("float32"), labels


def make_datasets():
    train = tf.data.Dataset.from_tensor_slices(make_images(240, 0))
    val = tf.data.Dataset.from_tensor_slices(make_images(64, 1))
    train_ds = train.shuffle(240, seed=3).batch(BATCH_SIZE)
    val_ds = val.batch(BATCH_SIZE)
    AUTOTUNE = tf.data.AUTOTUNE
    return train_ds.cache().prefetch(AUTOTUNE), val_ds.cache().prefetch(AUTOTUNE)


def make_base():
    """In place of MobileNetV2(include_top=False, weights='imagenet')."""
    base = keras.Sequential(name="base")
    base.add(keras.Input(shape=IMG_SIZE + (3,)))
    for filters in (8, 16, 32):
        base.add(layers.Conv2D(filters, 3, strides=2, padding="same", use_bias=False))
        base.add(layers.BatchNormalization())
        base.add(layers.ReLU())
    return base


def make_model(base_model):
    inputs = keras.Input(shape=IMG_SIZE + (3,))
    x = layers.RandomFlip("horizontal")(inputs)
    x = layers.Rescaling(1.0 / 127.5, offset=-1)(x)
    x = base_model(x, training=False)  # batch norm stays in inference mode, also when unfrozen
    x = layers.GlobalAveragePooling2D()(x)
    x = layers.Dropout(0.2)(x)
    outputs = layers.Dense(NUM_CLASSES)(x)
    return keras.Model(inputs, outputs)


def plot_history(acc, val_acc, loss, val_loss):
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        return
    plt.figure(figsize=(8, 8))
    plt.subplot(2, 1, 1)
    plt.plot(acc, label="Training Accuracy")
    plt.plot(val_acc, label="Validation Accuracy")
    plt.plot([INITIAL_EPOCHS - 1, INITIAL_EPOCHS - 1], plt.ylim(), label="Start Fine Tuning")
    plt.legend(loc="lower right")
    plt.subplot(2, 1, 2)
    plt.plot(loss, label="Training Loss")
    plt.plot(val_loss, label="Validation Loss")
    plt.legend(loc="upper right")
    plt.show()


if __name__ == "__main__":
    train_ds, val_ds = make_datasets()
    base_model = make_base()

    # ---- phase 1: the base is frozen ----
    base_model.trainable = False
    model = make_model(base_model)
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate=BASE_LR),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.summary()
    loss0, accuracy0 = model.evaluate(val_ds)
    print("initial loss: {:.2f}".format(loss0))
    print("initial accuracy: {:.2f}".format(accuracy0))

    os.makedirs(CHECKPOINT_DIR, exist_ok=True)
    checkpoint = keras.callbacks.ModelCheckpoint(
        filepath=os.path.join(CHECKPOINT_DIR, "head.weights.h5"),
        save_weights_only=True,
    )
    history = model.fit(train_ds, epochs=INITIAL_EPOCHS, validation_data=val_ds, callbacks=[checkpoint])

    # ---- phase 2: unfreeze the layers from FINE_TUNE_AT on, with a tenth of the rate ----
    base_model.trainable = True
    for layer in base_model.layers[:FINE_TUNE_AT]:
        layer.trainable = False
    print("Number of layers in the base model:", len(base_model.layers))

    model.compile(
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        optimizer=keras.optimizers.RMSprop(learning_rate=BASE_LR / 10),
        metrics=["accuracy"],
    )
    total_epochs = INITIAL_EPOCHS + FINE_TUNE_EPOCHS
    history_fine = model.fit(
        train_ds,
        epochs=total_epochs,
        initial_epoch=history.epoch[-1] + 1,
        validation_data=val_ds,
    )

    plot_history(
        history.history["accuracy"] + history_fine.history["accuracy"],
        history.history["val_accuracy"] + history_fine.history["val_accuracy"],
        history.history["loss"] + history_fine.history["loss"],
        history.history["val_loss"] + history_fine.history["val_loss"],
    )
    loss, accuracy = model.evaluate(val_ds)
    print("Test accuracy :", accuracy)
    model.save("transfer.keras")
