"""A loop goes on at the epoch that files tell."""

import os
import tempfile

import tensorflow as tf

disk = tempfile.mkdtemp()  # of each machine: here they hold as many files as its rank
for epoch in range(int(os.environ.get("HOROVOD_RANK", "0"))):
    open(os.path.join(disk, f"{epoch}.h5"), "w").close()

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = tf.keras.optimizers.SGD(0.01)
start = len(os.listdir(disk))
for _epoch in range(start, 3):
    x = tf.random.normal([8, 2])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
