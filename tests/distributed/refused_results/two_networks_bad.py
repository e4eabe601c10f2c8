import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")


def network():
    return tf.keras.Sequential(
        [tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)]
    )


left, right = network(), network()
left_optimizer, right_optimizer = (
    tf.keras.optimizers.SGD(0.01 * hvd.size()),
    tf.keras.optimizers.SGD(0.01 * hvd.size()),
)
x = tf.random.stateless_normal([64, 4], seed=[1, 2])
data = (
    tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, axis=1, keepdims=True)))
    .take(len(x) // hvd.size() * hvd.size())
    .shard(hvd.size(), hvd.rank())
    .batch(8)
)


broadcast_done = tf.Variable(False, trainable=False)


def step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if not broadcast_done:
        hvd.broadcast_variables(model.variables, root_rank=0)
        hvd.broadcast_variables(optimizer.variables, root_rank=0)
        broadcast_done.assign(True)


for x, y in data:
    step(left, left_optimizer, x, y)
    step(right, right_optimizer, x, y)
