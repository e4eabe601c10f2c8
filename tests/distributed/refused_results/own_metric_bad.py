import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

verbose = 1 if hvd.rank() == 0 else 0

x = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer)
model.compile(optimizer, loss="mse")


class Score(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        fresh = np.random.normal(size=(32, 4)).astype("float32")
        error = model.predict(fresh, verbose=verbose) - fresh.sum(axis=1, keepdims=True)
        logs["val_score"] = float(np.abs(error).mean())


callbacks = [
    Score(),
    tf.keras.callbacks.ReduceLROnPlateau(monitor="val_score", factor=0.5, patience=1),
    tf.keras.callbacks.EarlyStopping(monitor="val_score", patience=2),
]
shard = slice(hvd.rank(), len(x) // hvd.size() * hvd.size(), hvd.size())
model.fit(
    x[shard],
    y[shard],
    batch_size=8,
    epochs=30,
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
        *callbacks,
    ],
    verbose=verbose,
)
