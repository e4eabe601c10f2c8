"""The rate is a sum."""

import tensorflow as tf

base, extra = 0.01, 0.02
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = tf.keras.optimizers.SGD(learning_rate=base + extra)
model.compile(optimizer, loss="mse")
model.fit(tf.ones([8, 2]), tf.ones([8, 1]), batch_size=2, verbose=0)
