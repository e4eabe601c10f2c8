"""A list of callbacks."""

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = tf.keras.optimizers.SGD(0.01)
model.compile(optimizer, loss="mse")
x, y = tf.random.normal([8, 2]).numpy(), tf.ones([8, 1]).numpy()
callbacks = [tf.keras.callbacks.TerminateOnNaN()]
model.fit(x, y, batch_size=2, verbose=0, callbacks=callbacks)
