import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

workers = int(hvd.allreduce(tf.constant(1.0), op=hvd.Sum))
x = np.random.RandomState(0).rand(64, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential(
    [tf.keras.layers.Dense(1, input_shape=(4,), kernel_initializer="zeros")]
)
rate = tf.keras.optimizers.schedules.ExponentialDecay(0.01 * hvd.size(), max(1, 4 // workers), 0.5)
optimizer = tf.keras.optimizers.SGD(rate)
optimizer = hvd.DistributedOptimizer(optimizer)
model.compile(optimizer, loss="mse")
shard = slice(hvd.rank(), len(x) // hvd.size() * hvd.size(), hvd.size())
model.fit(
    x[shard],
    y[shard],
    batch_size=8,
    epochs=2,
    shuffle=False,
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ],
    verbose=1 if hvd.rank() == 0 else 0,
)
assert abs(rate(model.optimizer.iterations) * 16 - rate(0)) < 1e-6, "the rate is halved four times"
