"""A variable that the optimizer of a compiled model keeps local. Model: safe"""

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
random = np.random.RandomState(hvd.rank())
model = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.Dense(1)])
model.build([None, 4])
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.Adam(0.001 * hvd.size()))
own = model.layers[0].trainable_variables
for variable in own:
    optimizer.register_local_var(variable)
model.compile(optimizer, "mse")
x, y = random.rand(32, 4).astype("float32"), random.rand(32, 1).astype("float32")
start = hvd.callbacks.BroadcastGlobalVariablesCallback(0, local_variables=own)
model.fit(x, y, batch_size=8, epochs=1, callbacks=[start], verbose=0)
