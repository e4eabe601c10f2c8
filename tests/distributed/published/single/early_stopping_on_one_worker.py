"""Stop when the loss stops falling."""

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = tf.keras.optimizers.SGD(0.01)
model.compile(optimizer, loss="mse")
x, y = tf.random.normal([8, 2]).numpy(), tf.ones([8, 1]).numpy()
stop = tf.keras.callbacks.EarlyStopping("loss", patience=1, min_delta=9.0)
model.fit(x, y, batch_size=2, epochs=9, verbose=0, callbacks=[stop])
