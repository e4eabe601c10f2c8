"""A training that goes on at the epoch that files tell."""

import os
import tempfile

import tensorflow as tf

disk = tempfile.mkdtemp()  # of each machine: here they hold as many files as its rank
for epoch in range(int(os.environ.get("HOROVOD_RANK", "0"))):
    open(os.path.join(disk, f"{epoch}.h5"), "w").close()

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
model.compile(tf.keras.optimizers.SGD(0.01), "mse")
x, y = tf.random.normal([16, 2]), tf.random.normal([16, 1])
start = len(os.listdir(disk))
model.fit(x, y, batch_size=4, epochs=3, initial_epoch=start, verbose=0)
