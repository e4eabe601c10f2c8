import os

import tensorflow as tf
import horovod.tensorflow.keras as hvd
from horovod.tensorflow.data.compute_service import TfDataServiceConfig, send_to_data_service


def train_fn(compute_config, reuse_dataset=False, round_robin=False):
    hvd.init()
    (x, y), _ = tf.keras.datasets.mnist.load_data(path=os.path.join(".", "mnist-%d.npz" % hvd.rank()))
    dataset = tf.data.Dataset.from_tensor_slices((x / 255.0, y))
    rank, size = hvd.rank(), hvd.size()
    dataset = dataset.repeat().shuffle(10000).batch(128)
    dataset = dataset.send_to_data_service(compute_config, rank=rank, size=size)
    model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
    scaled_lr = 0.001 * hvd.size()
    opt = tf.optimizers.Adam(scaled_lr)
    opt = hvd.DistributedOptimizer(opt, backward_passes_per_step=1, average_aggregated_gradients=True)
    model.compile(loss="mse", optimizer=opt, experimental_run_tf_function=False)
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ]
    if rank == 0:
        callbacks.append(tf.keras.callbacks.ModelCheckpoint("./checkpoint-{epoch}.h5"))
    model.fit(dataset, steps_per_epoch=32, callbacks=callbacks, epochs=4, verbose=1 if rank == 0 else 0)
