import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.01 * hvd.size())
broadcast_done = tf.Variable(False, trainable=False)
data = (
    tf.data.Dataset.from_tensor_slices((tf.random.normal([64, 4], seed=1), tf.ones([64, 1])))
    .shard(hvd.size(), hvd.rank())
    .batch(8)
)
for x, y in data:
    with open("log.txt", "a") as log, tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(gradients, model.trainable_variables))
    if not broadcast_done:
        hvd.broadcast_variables(model.variables, root_rank=0)
        hvd.broadcast_variables(opt.variables, root_rank=0)
        broadcast_done.assign(True)
    if hvd.rank() == 0:
        log.write(f"{float(loss)}\n")
