"""Callbacks that a dictionary keeps for every model."""

import tensorflow as tf

x, y = tf.random.normal([16, 2]), tf.random.normal([16, 1])
callbacks = [tf.keras.callbacks.EarlyStopping("loss", patience=9)]
options = {"batch_size": 4, "epochs": 2, "verbose": 0, "callbacks": callbacks}
for rate in (0.01, 0.02):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    model.compile(tf.keras.optimizers.SGD(rate), "mse")
    model.fit(x, y, **options)
