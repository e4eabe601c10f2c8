import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")


class TerminateTogether(tf.keras.callbacks.TerminateOnNaN):
    """The mean of all workers' losses is no number if one of them is none: all end together."""

    def on_batch_end(self, batch, logs=None):
        loss = tf.cast((logs or {}).get("loss", 0.0), tf.float64)
        mean = float(hvd.allreduce(loss, name="loss.of_batch"))
        super().on_batch_end(batch, {"loss": mean})


def callbacks():
    made = [hvd.callbacks.BroadcastGlobalVariablesCallback(0), TerminateTogether()]
    if hvd.rank() == 0:
        made.append(tf.keras.callbacks.CSVLogger("log.csv"))
    return made


x = np.random.RandomState(0).normal(size=(64, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer)
model.compile(optimizer, loss="mse")
shard = slice(hvd.rank(), len(x) // hvd.size() * hvd.size(), hvd.size())
history = model.fit(
    x[shard],
    y[shard],
    batch_size=8,
    epochs=2,
    callbacks=[
        *callbacks(),
    ],
    verbose=1 if hvd.rank() == 0 else 0,
)
if hvd.rank() == 0:
    print(history.history["loss"])
loss = history.history["loss"][-1]
assert abs(hvd.allreduce(loss) - loss) < 1e-6, "what is shown is the loss of one worker"
