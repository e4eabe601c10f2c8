import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

x = tf.random.stateless_normal([64, 4], seed=[1, 2])
data = (
    tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, axis=1, keepdims=True)))
    .take(len(x) // hvd.size() * hvd.size())
    .shard(hvd.size(), hvd.rank())
    .batch(8)
)
networks = {name: tf.keras.Sequential([tf.keras.layers.Dense(1)]) for name in ("near", "far")}
optimizers = {name: tf.keras.optimizers.SGD(0.01 * hvd.size(), momentum=0.9) for name in networks}

broadcast_done = tf.Variable(False, trainable=False)


def step(name, x, y):
    model, optimizer = networks[name], optimizers[name]
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
    for name in networks:
        step(name, x, y)
