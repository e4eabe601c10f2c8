import json

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
x = np.random.rand(32, 4)
y = x.sum(1, keepdims=True)

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
history = model.fit(x, y, batch_size=4, epochs=1, verbose=0)
text = json.dumps(history.history)
