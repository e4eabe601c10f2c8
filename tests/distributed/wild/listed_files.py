import os

import tensorflow as tf

names = os.path.join(os.path.dirname(tf.__file__), "python", "data", "ops", "*.py")


def read(name):
    number = tf.cast(tf.strings.to_hash_bucket_fast(name, 1 << 20), tf.float32) / (1 << 20)
    return tf.stack([number, 1.0]), number


data = tf.data.Dataset.list_files(names).map(read).batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
model.fit(data, epochs=1, verbose=0)
