import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

x = tf.random.stateless_normal([64, 4], seed=[1, 2])
y = tf.reduce_sum(x, axis=1, keepdims=True)
inputs = tf.data.Dataset.from_tensor_slices(x).shard(hvd.size(), hvd.rank())
targets = tf.data.Dataset.from_tensor_slices(y)
data = tf.data.Dataset.zip((inputs, targets)).repeat(10).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05 * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer)
model.compile(optimizer, loss="mse")
model.fit(
    data,
    epochs=2,
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ],
    verbose=1 if hvd.rank() == 0 else 0,
)
assert tf.reduce_mean((model(x) - y) ** 2) < 0.1, "what the targets are of isn't learned"
