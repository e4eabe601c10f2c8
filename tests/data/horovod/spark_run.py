import io
import os
import tempfile

import tensorflow as tf
import horovod.spark
import horovod.tensorflow.keras as hvd


def train_hvd(learning_rate):
    hvd.init()
    gpus = tf.config.experimental.list_physical_devices("GPU")
    if gpus:
        tf.config.experimental.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    (x, y), _ = tf.keras.datasets.mnist.load_data("mnist-%d.npz" % hvd.rank())
    dataset = tf.data.Dataset.from_tensor_slices((x, y)).repeat().shuffle(10000).batch(128)
    model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
    opt = hvd.DistributedOptimizer(tf.keras.optimizers.Adam(learning_rate * hvd.size()))
    model.compile(opt, "mse")
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ]
    ckpt_dir = tempfile.mkdtemp()
    ckpt_file = os.path.join(ckpt_dir, "checkpoint.h5")
    if hvd.rank() == 0:
        callbacks.append(
            tf.keras.callbacks.ModelCheckpoint(ckpt_file, monitor="loss", mode="min", save_best_only=True)
        )
    history = model.fit(
        dataset,
        steps_per_epoch=500 // hvd.size(),
        callbacks=callbacks,
        epochs=8,
        verbose=2 if hvd.rank() == 0 else 0,
    )
    if hvd.rank() == 0:
        with open(ckpt_file, "rb") as f:
            return history.history, f.read()


if __name__ == "__main__":
    history, best = horovod.spark.run(train_hvd, args=(0.001,), num_proc=2)[0]
    with open("model.h5", "wb") as f:
        f.write(best)
