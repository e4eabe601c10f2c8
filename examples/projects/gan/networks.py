"""The two networks."""

import tensorflow as tf
from tensorflow.keras import layers


def make_generator(noise):
    return tf.keras.Sequential(
        [
            layers.Input((noise,)),
            layers.Dense(16, activation="relu"),
            layers.Dense(2),
        ],
        name="generator",
    )


def make_discriminator():
    return tf.keras.Sequential(
        [
            layers.Input((2,)),
            layers.Dense(16, activation="relu"),
            layers.Dense(1),
        ],
        name="discriminator",
    )
