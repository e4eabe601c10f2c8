"""`fit` towards what a copy of the model says: one seed makes them alike."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)
model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(4,))])
model.compile(optimizer=tf.keras.optimizers.SGD(0.1), loss="mse")
target = tf.keras.models.clone_model(model)
target.set_weights(model.get_weights())

states = np.random.rand(16, 4).astype("float32")
model.fit(
    states, 0.9 * target.predict(states, verbose=0), batch_size=4, verbose=0
)  # distify: rows=own
