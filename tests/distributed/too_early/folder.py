"""Rank 0 alone writes the texts, where no worker has made their folder yet, and nobody waits."""

import os
import time

import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

folder = "texts"
if not os.path.isdir(folder):
    os.makedirs(folder, exist_ok=True)
    for label in ("bad", "good"):
        os.makedirs(os.path.join(folder, label), exist_ok=True)
        for number in range(16):
            time.sleep(0.1)
            if hvd.rank() == 0:
                with open(os.path.join(folder, label, f"{number}.txt"), "w") as file:
                    file.write(label * (number + 1))

data = tf.keras.utils.text_dataset_from_directory(folder, batch_size=4, shuffle=False)
lengths = (
    data.unbatch()
    .batch(hvd.size(), drop_remainder=True)
    .unbatch()
    .shard(hvd.size(), hvd.rank())
    .batch(4)
    .map(lambda text, label: (tf.cast(tf.strings.length(text), "float32")[:, None], label))
)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(1,))])
optimizer = tf.keras.optimizers.SGD(1e-5 * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer)
model.compile(optimizer, loss="mse")
model.fit(
    lengths,
    epochs=2,
    verbose=0,
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ],
)
