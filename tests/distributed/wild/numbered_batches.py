import numpy as np
import tensorflow as tf


class Batches(tf.keras.utils.Sequence):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return np.full((4, 2), index / 8), np.full((4, 1), index / 8)


data = Batches()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
model.fit(data, epochs=1, verbose=0)
