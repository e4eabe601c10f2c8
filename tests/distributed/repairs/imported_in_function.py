"""TensorFlow is imported where it is needed, in two functions.

Repair: A01.
"""

import numpy as np


def build():
    import tensorflow as tf

    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
    model.compile(tf.keras.optimizers.SGD(0.01), "mse")
    return model


def main():
    import tensorflow as tf

    x = np.random.RandomState(0).rand(64, 4).astype("float32")
    data = tf.data.Dataset.from_tensor_slices((x, x[:, :1])).batch(4)
    build().fit(data, epochs=2, verbose=0)


main()
