import tensorflow as tf


def recurrent(length, units):
    return tf.keras.Sequential(
        [
            tf.keras.Input((length, 1)),
            tf.keras.layers.GRU(units),
            tf.keras.layers.Dense(1),
        ]
    )
