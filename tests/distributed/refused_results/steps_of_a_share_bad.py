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
data = tf.data.Dataset.from_tensor_slices((x, y)).shard(hvd.size(), hvd.rank()).repeat().batch(8)
model = tf.keras.Sequential(
    [tf.keras.layers.Dense(1, input_shape=(4,), kernel_initializer="zeros")]
)
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer)
model.compile(optimizer, loss="mse")
model.fit(
    data,
    steps_per_epoch=max(1, 8 // workers),
    epochs=2,
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ],
    verbose=1 if hvd.rank() == 0 else 0,
)
assert np.mean((model(x) - y) ** 2) < 1.7, "an epoch takes all of the examples"
