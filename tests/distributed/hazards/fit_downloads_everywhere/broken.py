"""Every worker downloads the data to the same file of Keras' cache, at the same time.

Convicted: H01.
"""

from pathlib import Path

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
random = np.random.RandomState(0)
source = Path(f"source{hvd.rank()}.npz").resolve()
Path(".keras").mkdir(exist_ok=True)
np.savez(source, x=random.rand(64, 3), y=random.rand(64, 1))
path = tf.keras.utils.get_file("distify.npz", source.as_uri(), cache_dir=".keras")
with np.load(path) as data:
    x, y = data["x"], data["y"]
x, y = x[hvd.rank() :: hvd.size()], y[hvd.rank() :: hvd.size()]

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.01 * hvd.size()))
model.compile(optimizer, loss="mse")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(x, y, batch_size=8, epochs=2, verbose=0, callbacks=callbacks)
