"""A training that goes on from its own file, if there is one."""

import os

import tensorflow as tf

if os.path.exists("model.h5"):
    model = tf.keras.models.load_model("model.h5")
else:
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    model.compile(tf.keras.optimizers.Adam(0.01), "mse")
x, y = tf.random.normal([32, 2]), tf.random.normal([32, 1])
model.fit(x, y, batch_size=4, verbose=0)
model.save("model.h5")
