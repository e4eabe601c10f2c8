import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
tf.keras.mixed_precision.set_global_policy("mixed_float16")
data = tf.data.Dataset.range(1000).shard(hvd.size(), hvd.rank()).repeat().batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam(1e-3 * hvd.size())
opt = tf.keras.mixed_precision.LossScaleOptimizer(opt)


@tf.function
def train_step(batch, first):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(tf.cast(batch[:, None], tf.float32)) ** 2)
        scaled = opt.get_scaled_loss(loss)
    tape = hvd.DistributedGradientTape(tape, compression=hvd.Compression.fp16)
    grads = tape.gradient(scaled, model.trainable_variables)
    grads = opt.get_unscaled_gradients(grads)
    opt.apply_gradients(zip(grads, model.trainable_variables))
    if first:
        hvd.broadcast_variables(model.variables, root_rank=0)
        hvd.broadcast_variables(opt.variables, root_rank=0)
    return loss


for i, batch in enumerate(data.take(1000 // hvd.size())):
    loss = train_step(batch, i == 0)
    if hvd.rank() == 0 and i % 50 == 0:
        tf.print(i, loss)
