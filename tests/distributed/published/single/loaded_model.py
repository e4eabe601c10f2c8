"""A model is saved in Keras' own format, loaded, and trained on."""

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
model.compile(tf.keras.optimizers.Adam(0.01), "mse")
x, y = tf.random.normal([32, 2]), tf.random.normal([32, 1])
model.fit(x, y, batch_size=4, verbose=0)
model.save("model.keras")
model = tf.keras.models.load_model("model.keras")
model.fit(x, y, batch_size=4, verbose=0)
