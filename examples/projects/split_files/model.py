"""The model, and nothing of how it is trained."""

import tensorflow as tf

UNITS = 16


def block(units):
    return tf.keras.layers.Dense(units, activation="relu")


def build_model(outputs):
    return tf.keras.Sequential([tf.keras.Input((4,)), block(UNITS), tf.keras.layers.Dense(outputs)])
