"""Horovod is imported and started, and nothing of it is used.

Convicted: D105.
Missing: D102 D104 D105 D107 D203 D302.
"""

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
random = np.random.RandomState(0)
x, y = random.rand(64, 3).astype("float32"), random.rand(64, 1).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
optimizer = tf.keras.optimizers.SGD(0.01)
model.compile(optimizer, "mse")
model.fit(x, y, batch_size=8, epochs=2, verbose=0)
model.save("model.h5")
