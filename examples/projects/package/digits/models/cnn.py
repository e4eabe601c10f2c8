import tensorflow as tf

from ..settings import CLASSES, SIDE


def classifier():
    inputs = tf.keras.Input((SIDE, SIDE, 1))
    x = tf.keras.layers.Conv2D(4, 3, activation="relu")(inputs)
    x = tf.keras.layers.Flatten()(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(CLASSES)(x))
