"""The loop."""

import tensorflow as tf

from .config import Config
from .tides import load_tides


def build(config: Config) -> tf.keras.Model:
    return tf.keras.Sequential(
        [
            tf.keras.Input((3,)),
            tf.keras.layers.Dense(config.hidden, activation="tanh"),
            tf.keras.layers.Dense(1),
        ]
    )


def train(config: Config) -> float:
    model = build(config)
    optimizer = tf.keras.optimizers.SGD(config.rate)
    loss_fn = tf.keras.losses.MeanSquaredError()

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_weights)
        optimizer.apply_gradients(zip(grads, model.trainable_weights))
        return loss

    dataset = load_tides(config.batch_size)
    for epoch in range(config.epochs):
        for x, y in dataset:
            loss = train_step(x, y)
        print(f"epoch {epoch + 1}/{config.epochs}: {float(loss):.4f}")
    model.save_weights("harbour.weights.h5")
    return float(loss)
