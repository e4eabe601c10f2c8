"""Half precision under fit."""

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = tf.keras.mixed_precision.LossScaleOptimizer(tf.keras.optimizers.SGD(0.1))
model.compile(optimizer, loss="mse")
model.fit(tf.random.normal([8, 2]), tf.ones([8, 1]), batch_size=2, verbose=0)
