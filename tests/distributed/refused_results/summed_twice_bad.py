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
model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="zeros")])
opt = tf.keras.optimizers.SGD(0.01)
broadcast_done = tf.Variable(False, trainable=False)


def gradients_of(tape, loss):
    return hvd.DistributedGradientTape(tape, op=hvd.Sum).gradient(loss, model.trainable_variables)


for x, y in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    tape = hvd.DistributedGradientTape(tape, op=hvd.Sum)
    opt.apply_gradients(zip(gradients_of(tape, loss), model.trainable_variables))
    if not broadcast_done:
        hvd.broadcast_variables(model.variables, root_rank=0)
        hvd.broadcast_variables(opt.variables, root_rank=0)
        broadcast_done.assign(True)
